import { money, Problem } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import type { Channel } from '../channels/channel.ts';
import { noteItems } from '../inventory/mark.ts';
import { markListings, noteListings } from '../listings/mark.ts';
import type { ImportPorts } from '../ports.ts';
import type { ShopProduct, ShopVariant } from '../shopify/product.ts';
import { linkedVariants, linkListed, linkProduct, linkVariants } from './link.ts';

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
 * sells it, and whether pages of the organization do is another decision. What the shop said before it said what is known changes nothing, and neither does
 * what it says of a product that is described here: then the two are compared.
 * @throws Problem as the verbs of the catalogue do
 */
export async function importProduct(
  tx: TenantTransaction,
  { products }: Pick<ImportPorts, 'products'>,
  channel: Pick<Channel, 'id' | 'products'>,
  product: ShopProduct,
): Promise<ImportedProduct> {
  const { tenant } = tx.context;
  const context = within(tx.context, tx);
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`marketplace.product ${channel.id} ${product.id}`}, 0))`,
  );
  // What was made there of a product of this side may be told before it is linked.
  const [known] = await tx.query<{ id: string; older: boolean; offered: boolean }>(sql`
    select k.id, k.older, coalesce(l.offered, true) as offered from (
      (select 1 as rank, id, external_updated_at > ${product.updatedAt}::timestamptz as older from marketplace.link
        where tenant_id = ${tenant}::uuid and channel_id = ${channel.id}::uuid and kind = 'product' and external_id = ${product.id})
      union all
      (select 2, product_id, false from marketplace.listing
        where tenant_id = ${tenant}::uuid and channel_id = ${channel.id}::uuid and product_id = ${product.ownId}::uuid
          and (external_id is null or external_id = ${product.id}))) k
    left join marketplace.listing l on l.tenant_id = ${tenant}::uuid and l.channel_id = ${channel.id}::uuid and l.product_id = k.id
    order by k.rank limit 1`);
  if (known?.older === true)
    return {
      productId: known.id,
      variants: await variantIds(tx, channel, product),
      outcome: 'same',
    };
  if (known !== undefined && channel.products === 'here') {
    const variants = await linkListed(tx, { products }, channel, known.id, product);
    await noteListings(tx, channel.id, new Map([[known.id, product.id]]));
    await markListings(tx, [channel.id], [known.id]);
    return { productId: known.id, variants, outcome: 'same' };
  }
  const { title, description, vendor, type, tags, status, options } = product;
  // That it is a draft there says nothing of what was taken off there from here.
  const about = { title, description, vendor, type, tags, ...(known?.offered === false ? {} : { status }) };
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
  await linkProduct(tx, channel, productId, product);
  await linkVariants(tx, channel, productId, variants);
  const counted = new Map(product.variants.map((one) => [one.inventoryItemId, variants.get(one.id) ?? '']));
  await noteItems(tx, channel.id, counted);
  if (channel.products === 'here') await noteListings(tx, channel.id, new Map([[productId, product.id]]));
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
