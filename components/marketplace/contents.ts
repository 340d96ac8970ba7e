import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/** What channels say, as the digest in their events: `tenant_id`, `key` and `digest`. Verification makes the same from the rows. */
export const channelContents = `select c.tenant_id, c.channel_id as key,
  ${digestOf(`'channel/v1', c.provider, c.shop, c.name, c.brand_id, c.location_id, c.stock, c.shop_location, case c.products when 'shop' then c.status else c.status || ' ' || c.products end`)} as digest
  from marketplace.channel c`;

/** The digest of a channel, in the transaction that wrote it. */
export async function contentOf(tx: TenantTransaction, channelId: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${channelContents}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      channelId,
    ]),
  );
  if (row === undefined) throw new Error('the channel was written');
  return row.digest;
}
