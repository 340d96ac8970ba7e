import { sql, type TenantTransaction } from '@steward/sql';
import { noKey, presentKey, type SdkKey } from './key.ts';

/** The key, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdKey(tx: TenantTransaction, siteId: string, keyId: string): Promise<SdkKey> {
  const [row] = await tx.query(sql`
    select key_id, site_id, mode, last_four, label, origins, replaces, created_at, expires_at, revoked_at, last_used_at,
      expires_at <= clock_timestamp() as ended
    from studio.sdk_key
    where tenant_id = ${tx.context.tenant}::uuid and site_id = ${siteId}::uuid and key_id = ${keyId}::uuid
    for no key update`);
  if (row === undefined) throw noKey();
  return presentKey(row);
}
