import { asItWas, operation } from '@steward/access';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { byKey, noKey, selectKeys, signingKey } from './key.ts';

/**
 * Ends a key for good: it is published no more, and its private part is erased. Whoever has it believes nothing that it signed.
 * @throws Problem `not_found` (404)
 */
export const revokeSigningKey = operation(
  {
    ...decides,
    name: 'service_revoke_signing_key',
    input: z.strictObject(byKey),
    answer: signingKey.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { keyId }, ports: AgenticPorts) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [held] = await tx.query(selectKeys('k.key_id = $2::uuid for no key update of k', tenant, keyId));
      if (held === undefined) throw noKey();
      const before = signingKey.read(held);
      if (before.status === 'revoked') return asItWas(before);
      const [row] = await tx.query(
        statement(
          `update agentic.signing_key k set revoked_at = clock_timestamp()
           where k.tenant_id = $1::uuid and k.key_id = $2::uuid returning ${signingKey.columns}`,
          [tenant, keyId],
        ),
      );
      await tx.query(
        sql`delete from agentic.signing_secret where tenant_id = ${tenant}::uuid and key_id = ${keyId}::uuid`,
      );
      tx.record(event('agentic.key.revoked', { brand_id: before.brandId, key_id: keyId }));
      tx.afterCommit(() => ports.changed(tenant));
      return signingKey.read(row ?? {});
    }),
);
