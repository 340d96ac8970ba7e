import { operation } from '@steward/access';
import { line } from '@steward/contract';
import { fail, newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { event } from '../events.ts';
import { byBrand, changes } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { profileUrlOf } from '../profiles/profile.ts';
import { modes } from '../words.ts';
import { issuedCredential, publicKeyGiven, shown } from './credential.ts';
import { insertCredential } from './insert.ts';

/**
 * Issues the key by which an agent platform buys from a brand by ACP. The key itself is in this answer and nowhere else.
 * @throws Problem `not_found` (404), `invalid_request`, `invalid_profile_url` (400), `agent_credential_limit` (409)
 */
export const issueCredential = operation(
  {
    ...changes,
    name: 'service_issue_agent_credential',
    input: z.strictObject({
      ...byBrand,
      profileUrl: z.string().min(1).max(2_000).meta({
        description:
          'An https address that says which platform it is, such as `https://agent.example`. The same address is the same agent.',
      }),
      mode: z.enum(modes).optional().meta({
        default: 'test',
        description: 'Of the door that it opens: a key of one mode does not open a door of the other.',
      }),
      label: line(200).optional().meta({ default: 'Agent platform', description: 'Where the key is used.' }),
      publicKey: publicKeyGiven.nullable().optional().meta({
        description: 'Ed25519 public key of the platform, with which its requests are verified. Required for `live`.',
      }),
    }),
    answer: issuedCredential,
    errors: ['insufficient_role', 'not_found', 'invalid_profile_url', 'agent_credential_limit'],
  },
  async (
    scope,
    { brandId, profileUrl, mode = 'test', label = 'Agent platform', publicKey = null },
    ports: AgenticPorts,
  ) => {
    const url = profileUrlOf(undefined, profileUrl);
    if (mode === 'live' && publicKey === null) {
      const detail = 'Requests to a live door are signed: give the Ed25519 public key of the platform.';
      throw fail('invalid_request', `/publicKey: ${detail}`, {
        errors: [{ pointer: '/publicKey', code: 'required', detail }],
      });
    }
    const { tenant } = scope.context;
    const kept = await scope.write(async (tx) => {
      if ((await ports.brandIn(tx, brandId)) === undefined) throw noBrand();
      const fresh = newId();
      const made = await tx.query(sql`
        insert into agentic.agent (tenant_id, agent_id, brand_id, protocol, profile_url, verdict)
        values (${tenant}::uuid, ${fresh}::uuid, ${brandId}::uuid, 'acp', ${url}, 'unseen')
        on conflict (tenant_id, brand_id, protocol, profile_url) do nothing returning agent_id`);
      const [held] = await tx.query<{ agent_id: string }>(sql`
        select agent_id from agentic.agent where tenant_id = ${tenant}::uuid and brand_id = ${brandId}::uuid and protocol = 'acp'
          and profile_url = ${url} for no key update`);
      if (held === undefined) throw new Error('the agent is there');
      const { agent_id: agentId } = held;
      if (made.length > 0)
        tx.record(
          event('agentic.agent.added', {
            agent_id: agentId,
            brand_id: brandId,
            protocol: 'acp',
            profile_url: url,
            key_id: null,
            verdict: 'unseen',
          }),
        );
      const one = await insertCredential(tx, ports, { brandId, agentId, mode, label, publicKey, replaces: null });
      tx.record(
        event('agentic.credential.issued', {
          credential_id: one.view.id,
          agent_id: agentId,
          brand_id: brandId,
          mode,
          public_key: publicKey,
          key_sha256: one.hash,
        }),
      );
      return one;
    });
    return shown(ports, tenant, kept);
  },
);
