import { sql, type TenantTransaction } from '@steward/sql';

/** Has products of a channel compared at once, if they are described here; a shop that fails is not asked earlier for it. */
async function wakeListings(tx: TenantTransaction, channelIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    insert into marketplace.task (tenant_id, channel_id, kind)
    select c.tenant_id, c.channel_id, 'listings' from marketplace.channel c
    where c.tenant_id = ${tx.context.tenant}::uuid and c.channel_id = any (${channelIds}::uuid[]) and c.status = 'connected' and c.products = 'here'
    order by c.channel_id
    on conflict (tenant_id, channel_id, kind) do update set state = 'due', updated_at = clock_timestamp(),
      next_at = case when marketplace.task.state = 'due' and marketplace.task.attempts > 0 then marketplace.task.next_at else clock_timestamp() end`);
}

/** Has products of channels compared with the shop: all of them, or these. Whoever calls has locked the channels. */
export async function markListings(
  tx: TenantTransaction,
  channelIds: readonly string[],
  productIds?: readonly string[],
): Promise<void> {
  const marked = await tx.query<{ channel_id: string }>(sql`
    update marketplace.listing set due_at = clock_timestamp()
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = any (${channelIds}::uuid[])
      and (${productIds ?? null}::uuid[] is null or product_id = any (${productIds ?? null}::uuid[]))
    returning channel_id`);
  await wakeListings(tx, [...new Set(marked.map(({ channel_id: id }) => id))]);
}

/** Products that a channel has from now on, with their ids in the shop where it has them. @returns those that are new */
export async function noteListings(
  tx: TenantTransaction,
  channelId: string,
  /** Ids in the shop, by ids here. */
  products: ReadonlyMap<string, string | null>,
): Promise<readonly string[]> {
  const noted = await tx.query<{ product_id: string }>(sql`
    insert into marketplace.listing as l (tenant_id, channel_id, product_id, external_id)
    select ${tx.context.tenant}::uuid, ${channelId}::uuid, p.id, p.external_id
    from unnest(${[...products.keys()]}::uuid[], ${[...products.values()]}::text[]) p (id, external_id) order by p.id
    on conflict (tenant_id, channel_id, product_id) do nothing
    returning product_id`);
  if (noted.length > 0) await wakeListings(tx, [channelId]);
  return noted.map(({ product_id: id }) => id);
}

/** Channels of the tenant whose products are described here, which nobody else changes until the transaction ends. */
export async function holdDescribed(tx: TenantTransaction): Promise<readonly string[]> {
  const rows = await tx.query<{ channel_id: string }>(sql`
    select channel_id from marketplace.channel
    where tenant_id = ${tx.context.tenant}::uuid and status = 'connected' and products = 'here' order by channel_id for update`);
  return rows.map(({ channel_id: id }) => id);
}
