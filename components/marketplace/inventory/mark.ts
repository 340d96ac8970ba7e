import { sql, type TenantTransaction } from '@steward/sql';

/** Has stock of a channel compared at once, if it keeps any in step; a shop that fails is not asked earlier for it. */
export async function wakeStock(tx: TenantTransaction, channelIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    insert into marketplace.task (tenant_id, channel_id, kind)
    select c.tenant_id, c.channel_id, 'stock' from marketplace.channel c
    where c.tenant_id = ${tx.context.tenant}::uuid and c.channel_id = any (${channelIds}::uuid[]) and c.status = 'connected' and c.stock <> 'none'
    order by c.channel_id
    on conflict (tenant_id, channel_id, kind) do update set state = 'due', updated_at = clock_timestamp(),
      next_at = case when marketplace.task.state = 'due' and marketplace.task.attempts > 0 then marketplace.task.next_at else clock_timestamp() end`);
}

/** Has what a shop counts of these variants compared. Whoever calls has locked the channels. */
export async function markVariants(
  tx: TenantTransaction,
  channelIds: readonly string[],
  variantIds: readonly string[],
): Promise<void> {
  const marked = await tx.query<{ channel_id: string }>(sql`
    update marketplace.inventory set due_at = clock_timestamp()
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = any (${channelIds}::uuid[]) and variant_id = any (${variantIds}::uuid[])
    returning channel_id`);
  await wakeStock(tx, [...new Set(marked.map(({ channel_id: id }) => id))]);
}

/** Has all that a shop counts compared, if its channel keeps any in step. */
export async function markAll(tx: TenantTransaction, channelId: string): Promise<void> {
  await tx.query(sql`
    update marketplace.inventory set due_at = clock_timestamp(), attention = null
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid`);
  await wakeStock(tx, [channelId]);
}

/** Notes what the shop counts of variants, and has what is new compared. */
export async function noteItems(
  tx: TenantTransaction,
  channelId: string,
  /** Variants here, by the shop's inventory items. */
  variants: ReadonlyMap<string, string>,
): Promise<void> {
  const noted = await tx.query(sql`
    insert into marketplace.inventory as i (tenant_id, channel_id, external_id, variant_id)
    select ${tx.context.tenant}::uuid, ${channelId}::uuid, v.external_id, v.variant_id
    from unnest(${[...variants.keys()]}::text[], ${[...variants.values()]}::uuid[]) v (external_id, variant_id)
    on conflict (tenant_id, channel_id, external_id) do update set variant_id = excluded.variant_id, due_at = clock_timestamp()
      where i.variant_id <> excluded.variant_id
    returning external_id`);
  if (noted.length > 0) await wakeStock(tx, [channelId]);
}

/** Channels of the tenant that keep stock in step, which nobody else changes until the transaction ends. */
export async function holdKeeping(tx: TenantTransaction): Promise<readonly string[]> {
  const rows = await tx.query<{ channel_id: string }>(sql`
    select channel_id from marketplace.channel
    where tenant_id = ${tx.context.tenant}::uuid and status = 'connected' and stock <> 'none' order by channel_id for update`);
  return rows.map(({ channel_id: id }) => id);
}
