import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { studioFail } from '../errors.ts';
import type { StudioGround } from '../ground.ts';
import { requireRoom } from '../limits.ts';
import { deriveKey, mostKeys, presentKey, type KeptKey } from './key.ts';
import type { KeyMode } from './text.ts';

interface KeyRow {
  readonly siteId: string;
  readonly mode: KeyMode;
  readonly label: string;
  readonly origins: readonly string[] | null;
  readonly replaces: string | null;
}

/** Stores a new key of a site that the transaction holds. @throws Problem `sdk_key_limit` (409) */
export async function insertKey(tx: TenantTransaction, ground: StudioGround, key: KeyRow): Promise<KeptKey> {
  const { tenant } = tx.context;
  const [count] = await tx.query<{ live: number }>(sql`
    select count(*)::int as live from studio.sdk_key where tenant_id = ${tenant}::uuid and site_id = ${key.siteId}::uuid
      and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`);
  if ((count?.live ?? 0) >= mostKeys)
    throw studioFail('sdk_key_limit', `A site has ${mostKeys} live keys at most: revoke those that nobody uses.`);
  await requireRoom(tx, ground.limits, 'key');
  const keyId = newId();
  const { hash, lastFour } = deriveKey(ground, tenant, keyId, key.mode);
  const [row] = await tx.query(sql`
    insert into studio.sdk_key (tenant_id, key_id, site_id, mode, key_hash, last_four, label, origins, replaces)
    values (${tenant}::uuid, ${keyId}::uuid, ${key.siteId}::uuid, ${key.mode}, ${hash}, ${lastFour}, ${key.label},
      ${key.origins}::text[], ${key.replaces}::uuid)
    returning key_id, site_id, mode, last_four, label, origins, replaces, created_at, expires_at, revoked_at, last_used_at`);
  return { view: presentKey(row ?? {}), hash: hash.toString('hex') };
}
