import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import type { Channel } from '../channels/channel.ts';
import { noteItems } from '../inventory/mark.ts';
import type { ImportPorts } from '../ports.ts';
import type { ShopProduct } from '../shopify/product.ts';
import { matchVariants } from '../shopify/product-set.ts';

/** What is known of a variant of a shop. */
export interface Linked {
  readonly productId: string;
  readonly variantId: string;
}

/** Variants here, by their ids in the shop; those that are not known are left out. */
export async function linkedVariants(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  channel: Pick<Channel, 'id'>,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, Linked>> {
  const rows = await tx.query<{ external_id: string; id: string; product_id: string }>(sql`
    select external_id, id, product_id from marketplace.link
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channel.id}::uuid and kind = 'variant' and external_id = any (${externalIds}::text[])`);
  return new Map(rows.map((row) => [row.external_id, { productId: row.product_id, variantId: row.id }]));
}

/** Variants of a product here, by their ids in the shop. */
export async function linkedTo(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  channelId: string,
  productId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ external_id: string; id: string }>(sql`
    select external_id, id from marketplace.link
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and kind = 'variant' and product_id = ${productId}::uuid`);
  return new Map(rows.map((row) => [row.external_id, row.id]));
}

/** Says what variants of a product of the shop are here from now on, by their ids there. */
export const linkVariants = async (
  tx: TenantTransaction,
  channel: Pick<Channel, 'id'>,
  productId: string,
  ids: ReadonlyMap<string, string>,
): Promise<void> => link(tx, channel, { kind: 'variant', productId, ids, updatedAt: null });

/** Says what a product of the shop is here from now on. */
export const linkProduct = async (
  tx: TenantTransaction,
  channel: Pick<Channel, 'id'>,
  productId: string,
  { id, updatedAt }: Pick<ShopProduct, 'id' | 'updatedAt'>,
): Promise<void> => link(tx, channel, { kind: 'product', productId, ids: new Map([[id, productId]]), updatedAt });

/**
 * Says what a product that is described here is in the shop, as far as the shop has it by now: orders of it find its variants, and its stock is compared.
 * @returns variants here, by their ids in the shop
 */
export async function linkListed(
  tx: TenantTransaction,
  { products }: Pick<ImportPorts, 'products'>,
  channel: Pick<Channel, 'id'>,
  productId: string,
  there: ShopProduct,
): Promise<ReadonlyMap<string, string>> {
  const { variants } = await products.get(within(tx.context, tx), { productId });
  const matched = matchVariants(variants, there.variants, await linkedTo(tx, channel.id, productId));
  const own = new Map([...matched].map(([variantId, externalId]) => [externalId, variantId]));
  await linkProduct(tx, channel, productId, there);
  await linkVariants(tx, channel, productId, own);
  const items = there.variants.flatMap(({ id, inventoryItemId }) => {
    const variantId = own.get(id);
    return variantId === undefined ? [] : [[inventoryItemId, variantId] as const];
  });
  await noteItems(tx, channel.id, new Map(items));
  return own;
}

async function link(
  tx: TenantTransaction,
  channel: Pick<Channel, 'id'>,
  {
    kind,
    productId,
    ids,
    updatedAt,
  }: {
    readonly kind: 'product' | 'variant';
    readonly productId: string;
    readonly ids: ReadonlyMap<string, string>;
    readonly updatedAt: string | null;
  },
): Promise<void> {
  await tx.query(sql`
    insert into marketplace.link (tenant_id, channel_id, kind, external_id, id, product_id, external_updated_at)
    select ${tx.context.tenant}::uuid, ${channel.id}::uuid, ${kind}, l.external_id, l.id, ${productId}::uuid, ${updatedAt}::timestamptz
    from unnest(${[...ids.keys()]}::text[], ${[...ids.values()]}::uuid[]) l (external_id, id)
    on conflict (tenant_id, channel_id, kind, external_id) do update set id = excluded.id, product_id = excluded.product_id,
      external_updated_at = excluded.external_updated_at`);
}
