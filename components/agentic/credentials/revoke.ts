import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { byCredential, credential, holdCredential } from './credential.ts';

/**
 * Ends a credential for good: at once in this process, within a second in every other. Revoked already is success.
 * @throws Problem `not_found` (404)
 */
export const revokeCredential = operation(
  {
    ...changes,
    name: 'service_revoke_agent_credential',
    input: z.strictObject(byCredential),
    answer: credential.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { credentialId }, ports: AgenticPorts) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const held = await holdCredential(tx, credentialId);
      if (held.status === 'revoked') return asItWas(held);
      const [row] = await tx.query(
        statement(
          `update agentic.credential c set revoked_at = clock_timestamp()
           where c.tenant_id = $1::uuid and c.credential_id = $2::uuid returning ${credential.columns}`,
          [tenant, credentialId],
        ),
      );
      tx.record(
        event('agentic.credential.revoked', {
          credential_id: credentialId,
          agent_id: held.agentId,
          brand_id: held.brandId,
        }),
      );
      tx.afterCommit(() => ports.changed(tenant));
      return credential.read(row ?? {});
    }),
);
