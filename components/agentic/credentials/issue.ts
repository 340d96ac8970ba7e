import { operation } from '@steward/access';
import { line } from '@steward/contract';
import { makerIn } from '@steward/identity';
import { fail, newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
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
 * Issues the key by which an agent platform buys from a brand by ACP. The key itself is in this answer and nowhere else. Who may sign as a platform on a
 * live door sees what that platform bought, so a person issues a live key of a public key that the platform does not have yet.
 * @throws Problem `not_found` (404), `invalid_request`, `invalid_profile_url` (400), `agent_credential_limit` (409), and those of a decision (403, 401)
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
    errors: [
      'insufficient_role',
      'not_found',
      'invalid_profile_url',
      'agent_credential_limit',
      'not_human',
      'client_not_approver',
      'login_too_old',
    ],
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
      const maker = await makerIn(tx);
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
      if (mode === 'live' && !(await has(tx, agentId, publicKey))) ports.decider.requireFor(scope.context);
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
      const one = await insertCredential(
        tx,
        ports,
        { brandId, agentId, mode, label, publicKey, replaces: null },
        maker,
      );
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
    return shown(ports, scope.context, kept);
  },
);

/** Whether an agent has a public key already, about which a person has decided. */
async function has(tx: TenantTransaction, agentId: string, publicKey: string | null): Promise<boolean> {
  const rows = await tx.query(sql`
    select from agentic.credential where tenant_id = ${tx.context.tenant}::uuid and agent_id = ${agentId}::uuid and mode = 'live'
      and public_key = ${publicKey} and revoked_at is null and (expires_at is null or expires_at > clock_timestamp()) limit 1`);
  return rows.length > 0;
}
