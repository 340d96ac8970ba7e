import type { TenantTransaction } from '@steward/sql';
import { noKey, sdkKey, selectKeys, type SdkKey } from './key.ts';

/** The key, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdKey(tx: TenantTransaction, siteId: string, keyId: string): Promise<SdkKey> {
  const held = selectKeys('k.key_id = $3::uuid for no key update', tx.context.tenant, siteId, keyId);
  const [row] = await tx.query(held);
  if (row === undefined) throw noKey();
  return sdkKey.read(row);
}
