import { operation } from '@steward/access';
import { makerIn } from '@steward/identity';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { agenticFail } from '../errors.ts';
import { event } from '../events.ts';
import { decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { byCredential, holdCredential, issuedCredential, noCredential, shown } from './credential.ts';
import { insertCredential } from './insert.ts';

/**
 * Issues the successor of a credential, for the same agent, mode and public key. The old one is good for another `overlapHours` (0–720, 168 where not
 * given).
 * @throws Problem `not_found` (404), `agent_credential_ended`, `agent_credential_limit` (409)
 */
export const rotateCredential = operation(
  {
    ...decides,
    name: 'service_rotate_agent_credential',
    input: z.strictObject({
      ...byCredential,
      overlapHours: z.int().min(0).max(720).optional().meta({
        default: 168,
        description: 'Hours until the old key ends. 0 ends it at once.',
      }),
    }),
    answer: issuedCredential,
    errors: ['insufficient_role', 'not_found', 'agent_credential_ended', 'agent_credential_limit'],
  },
  async (scope, { credentialId, overlapHours = 168 }, ports: AgenticPorts) => {
    const { tenant } = scope.context;
    const kept = await scope.write(async (tx) => {
      const maker = await makerIn(tx);
      // Agent before credential, as everywhere: an issue and a rotation at once wait for each other in one order.
      const agents = await tx.query(sql`
        select from agentic.agent where tenant_id = ${tenant}::uuid and agent_id =
          (select agent_id from agentic.credential where tenant_id = ${tenant}::uuid and credential_id = ${credentialId}::uuid) for no key update`);
      if (agents.length === 0) throw noCredential();
      const old = await holdCredential(tx, credentialId);
      if (old.status !== 'active')
        throw agenticFail(
          'agent_credential_ended',
          old.status === 'ending'
            ? 'It was rotated before: rotate its successor, or revoke it to end it now.'
            : old.status === 'suspended'
              ? 'It is suspended, because the client that it was issued through was shut out: issue a new one, or end the suspension with POST /api/suspensions/restore.'
              : 'It has ended: issue a new one.',
        );
      const [ends] = await tx.query<{ expires_at: Date }>(sql`
        update agentic.credential set expires_at = clock_timestamp() + make_interval(hours => ${overlapHours}::int)
        where tenant_id = ${tenant}::uuid and credential_id = ${credentialId}::uuid returning expires_at`);
      if (ends === undefined) throw new Error('the credential that is held is gone');
      const made = await insertCredential(tx, ports, { ...old, replaces: old.id }, maker);
      tx.record(
        event('agentic.credential.rotated', {
          credential_id: old.id,
          new_credential_id: made.view.id,
          agent_id: old.agentId,
          brand_id: old.brandId,
          old_ends_at: ends.expires_at.toISOString(),
          new_key_sha256: made.hash,
        }),
      );
      tx.afterCommit(() => ports.changed(tenant));
      return made;
    });
    return shown(ports, scope.context, kept);
  },
);
