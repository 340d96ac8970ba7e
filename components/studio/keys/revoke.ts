import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { manageStudio } from '../permissions.ts';
import { holdKey } from './hold.ts';
import { presentKey, type SdkKey } from './key.ts';

/**
 * Ends a key for good: at once in this process, within a second in every other. Revoked already is success.
 * @throws Problem `not_found` (404)
 */
export async function revokeKey(
  context: TenantContext,
  ground: StudioGround,
  siteId: string,
  keyId: string,
): Promise<SdkKey> {
  return context.require(manageStudio).write(async (tx) => {
    const held = await holdKey(tx, siteId, keyId);
    if (held.status === 'revoked') return held;
    const [row] = await tx.query(sql`
      update studio.sdk_key set revoked_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and key_id = ${keyId}::uuid
      returning key_id, site_id, mode, last_four, label, origins, replaces, created_at, expires_at, revoked_at, last_used_at`);
    tx.record(event('studio.sdk_key.revoked', { key_id: held.id, site_id: held.siteId }));
    tx.afterCommit(() => ground.forget.key(held.id));
    return presentKey(row ?? {});
  });
}
