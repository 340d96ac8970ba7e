import { makerOf } from '@steward/identity';
import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import type { DeliveriesPorts } from '../ports.ts';
import type { SecretSigning } from '../words.ts';
import { makeKey } from './key.ts';

export interface Issued {
  readonly secretId: string;
  readonly publicKey: string | null;
  /** When the secrets before it end; null where there was none. */
  readonly earlierEndAt: string | null;
}

interface Issuing {
  readonly webhookId: string;
  readonly signing: SecretSigning;
  readonly overlapHours: number;
  /** The receiver's own secret; undefined: one is made. */
  readonly given?: Buffer;
}

/** Secrets that sign at the same time. */
const mostLive = 3;

/** Where a sealed secret is kept. */
export const seatOf = (webhookId: string, secretId: string): string => `deliveries.endpoint/${webhookId}/${secretId}`;

/** Makes a secret of a webhook that the transaction holds. Those before it sign on until they end, but for the oldest of many. */
export async function issueSecret(
  tx: TenantTransaction,
  { secrets }: Pick<DeliveriesPorts, 'secrets'>,
  { webhookId, signing, overlapHours, given }: Issuing,
): Promise<Issued> {
  const { tenant } = tx.context;
  const { by, byType, through } = makerOf(tx.context);
  const secretId = newId();
  const { bytes, publicKey } = given === undefined ? makeKey(signing) : { bytes: given, publicKey: null };
  const sealed = await secrets.seal(tx, seatOf(webhookId, secretId), bytes);
  await tx.query(sql`
    update deliveries.secret s set sealed = null, expires_at = least(s.expires_at, clock_timestamp())
    where s.tenant_id = ${tenant}::uuid and s.endpoint_id = ${webhookId}::uuid and s.sealed is not null
      and (s.expires_at <= clock_timestamp() or s.secret_id not in (select o.secret_id from deliveries.secret o
        where o.tenant_id = ${tenant}::uuid and o.endpoint_id = ${webhookId}::uuid order by o.created_at desc, o.secret_id desc limit ${mostLive - 1}))`);
  const earlier = await tx.query<{ expires_at: Date }>(sql`
    update deliveries.secret set expires_at = least(expires_at, clock_timestamp() + make_interval(hours => ${overlapHours}::int))
    where tenant_id = ${tenant}::uuid and endpoint_id = ${webhookId}::uuid and sealed is not null returning expires_at`);
  await tx.query(sql`
    insert into deliveries.secret (tenant_id, endpoint_id, secret_id, sealed, public_key, created_by, created_by_type, created_through)
    values (${tenant}::uuid, ${webhookId}::uuid, ${secretId}::uuid, ${sealed}, ${publicKey}, ${by}, ${byType}, ${through})`);
  const last = Math.max(...earlier.map(({ expires_at }) => expires_at.getTime()));
  const earlierEndAt = earlier.length === 0 ? null : new Date(last).toISOString();
  tx.record(
    event('deliveries.secret.issued', {
      endpoint_id: webhookId,
      secret_id: secretId,
      public_key: publicKey,
      earlier_end_at: earlierEndAt,
    }),
  );
  return { secretId, publicKey, earlierEndAt };
}
