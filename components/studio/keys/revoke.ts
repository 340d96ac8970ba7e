import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { StudioDeps } from '../deps.ts';
import { changes } from '../operations.ts';
import { holdKey } from './hold.ts';
import { byKey, sdkKey } from './key.ts';

/**
 * Ends a key for good: at once in this process, within a second in every other. Revoked already is success.
 * @throws Problem `not_found` (404)
 */
export const revokeKey = operation(
  {
    ...changes,
    name: 'service_revoke_sdk_key',
    input: z.strictObject(byKey),
    answer: sdkKey.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { siteId, keyId }, deps: StudioDeps) =>
    scope.write(async (tx) => {
      const held = await holdKey(tx, siteId, keyId);
      if (held.status === 'revoked') return asItWas(held);
      const [row] = await tx.query(
        statement(
          `update studio.sdk_key k set revoked_at = clock_timestamp()
           where k.tenant_id = $1::uuid and k.key_id = $2::uuid returning ${sdkKey.columns}`,
          [tx.context.tenant, keyId],
        ),
      );
      tx.record(event('studio.sdk_key.revoked', { key_id: held.id, site_id: held.siteId }));
      tx.afterCommit(() => deps.forget.key(held.id));
      return sdkKey.read(row ?? {});
    }),
);
