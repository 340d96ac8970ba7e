import { makerOf } from '@steward/identity';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { studioFail } from '../errors.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoom } from '../limits.ts';
import { deriveKey, mostKeys, sdkKey, type KeptKey, type SdkKey } from './key.ts';

type NewKey = Pick<SdkKey, 'siteId' | 'mode' | 'label' | 'origins' | 'replaces'>;

/** Stores a new key of a site that the transaction holds. @throws Problem `sdk_key_limit` (409) */
export async function insertKey(
  tx: TenantTransaction,
  deps: StudioDeps,
  { siteId, mode, label, origins, replaces }: NewKey,
): Promise<KeptKey> {
  const { tenant } = tx.context;
  const [count] = await tx.query<{ live: number }>(sql`
    select count(*)::int as live from studio.sdk_key where tenant_id = ${tenant}::uuid and site_id = ${siteId}::uuid
      and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`);
  if ((count?.live ?? 0) >= mostKeys)
    throw studioFail('sdk_key_limit', `A site has ${mostKeys} live keys at most: revoke keys that nobody uses.`);
  await requireRoom(tx, deps.limits, 'key');
  const keyId = newId();
  const { by, byType, through } = makerOf(tx.context);
  const { hash, lastFour } = deriveKey(deps, tenant, keyId, mode);
  const [row] = await tx.query(
    statement(
      `insert into studio.sdk_key as k (tenant_id, key_id, site_id, mode, key_hash, last_four, label, origins, replaces,
         created_by, created_by_type, created_through)
       values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8::text[], $9::uuid, $10, $11, $12) returning ${sdkKey.columns}`,
      [tenant, keyId, siteId, mode, hash, lastFour, label, origins, replaces, by, byType, through],
    ),
  );
  return { view: sdkKey.read(row ?? {}), hash: hash.toString('hex') };
}
