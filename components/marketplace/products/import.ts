import { money, Problem } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import type { Channel } from '../channels/channel.ts';
import { noteItems } from '../inventory/mark.ts';
import type { ImportPorts } from '../ports.ts';
import type { ShopProduct, ShopVariant } from '../shopify/product.ts';

/** A product of a shop, and what it is here. */
export interface ImportedProduct {
  readonly productId: string;
  /** Variants here, by their ids in the shop. */
  readonly variants: ReadonlyMap<string, string>;
  /** What this transaction changed. */
  readonly outcome: 'created' | 'updated' | 'same';
}

/**
 * Makes a product of a shop one of the catalogue, or brings the one that it is up to date: once for each channel. It is published to no brand: the shop
 * sells it, and whether pages of the organization do is another decision. What the shop said before it said what is known changes nothing.
 * @throws Problem as the verbs of the catalogue do
 */
export async function importProduct(
  tx: TenantTransaction,
  { products }: Pick<ImportPorts, 'products'>,
  channel: Pick<Channel, 'id'>,
  product: ShopProduct,
): Promise<ImportedProduct> {
  const { tenant } = tx.context;
  const context = within(tx.context, tx);
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`marketplace.product ${channel.id} ${product.id}`}, 0))`,
  );
  const [known] = await tx.query<{ id: string; older: boolean }>(sql`
    select id, external_updated_at > ${product.updatedAt}::timestamptz as older from marketplace.link
    where tenant_id = ${tenant}::uuid and channel_id = ${channel.id}::uuid and kind = 'product' and external_id = ${product.id}`);
  if (known?.older === true)
    return {
      productId: known.id,
      variants: await variantIds(tx, channel, product),
      outcome: 'same',
    };
  const { title, description, vendor, type, tags, status, options } = product;
  const about = { title, description, vendor, type, tags, status };
  let productId: string;
  let made: readonly { readonly id: string; readonly options: Readonly<Record<string, string>> }[];
  if (known === undefined) {
    const created = await products.create(context, {
      products: [{ ...about, options, variants: product.variants.map((one) => given(one, product)) }],
    });
    productId = created.products[0]?.id ?? '';
    made = (await products.get(context, { productId })).variants;
  } else {
    productId = known.id;
    await products.update(context, { products: [{ productId, ...about }] });
    const linked = await variantIds(tx, channel, product);
    const whole = await setKnown(
      async (ids) =>
        products.setVariants(context, {
          productId,
          options,
          variants: product.variants.map((one) => {
            const variantId = ids.get(one.id);
            return { ...given(one, product), ...(variantId === undefined ? {} : { variantId }) };
          }),
        }),
      linked,
    );
    made = whole.variants;
  }
  const variants = new Map(product.variants.map((one, index) => [one.id, made[index]?.id ?? '']));
  const ids = new Map([[product.id, productId]]);
  await link(tx, channel, { kind: 'product', productId, ids, updatedAt: product.updatedAt });
  await linkVariants(tx, channel, productId, variants);
  const counted = new Map(product.variants.map((one) => [one.inventoryItemId, variants.get(one.id) ?? '']));
  await noteItems(tx, channel.id, counted);
  return { productId, variants, outcome: known === undefined ? 'created' : 'updated' };
}

async function variantIds(
  tx: TenantTransaction,
  channel: Pick<Channel, 'id'>,
  { variants }: Pick<ShopProduct, 'variants'>,
): Promise<ReadonlyMap<string, string>> {
  const known = await linkedVariants(
    tx,
    channel,
    variants.map(({ id }) => id),
  );
  return new Map([...known].map(([externalId, { variantId }]) => [externalId, variantId]));
}

/** A variant that somebody has taken off here is another one from then on. */
async function setKnown<T>(
  set: (ids: ReadonlyMap<string, string>) => Promise<T>,
  linked: ReadonlyMap<string, string>,
): Promise<T> {
  try {
    return await set(linked);
  } catch (error) {
    const gone = error instanceof Problem && error.errors?.some(({ code }) => code === 'unknown_variant') === true;
    if (!gone) throw error;
    return set(new Map());
  }
}

const given = (variant: ShopVariant, { currency }: Pick<ShopProduct, 'currency'>) => ({
  options: variant.options,
  sku: variant.sku,
  barcode: variant.barcode,
  weightGrams: variant.weightGrams,
  requiresShipping: variant.requiresShipping,
  prices: [
    {
      amount: money(variant.price, currency).amount,
      currency,
      ...(variant.compareAt === null ? {} : { compareAt: money(variant.compareAt, currency).amount }),
    },
  ],
});

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

/** Says what variants of a product of the shop are here from now on, by their ids there. */
export const linkVariants = async (
  tx: TenantTransaction,
  channel: Pick<Channel, 'id'>,
  productId: string,
  ids: ReadonlyMap<string, string>,
): Promise<void> => link(tx, channel, { kind: 'variant', productId, ids, updatedAt: null });

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
