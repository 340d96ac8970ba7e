import { NeverApplies } from '@steward/callbacks';
import { markdownOf, mostVariants } from '@steward/catalogue';
import { dictionary } from '@steward/kernel';
import type { Ask } from './client.ts';
import { idOf, lineOf, listOf, type Members, membersOf, minorOf, momentOf, nextOf, nodesOf, textOf } from './read.ts';

export interface ShopVariant {
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** Minor units of the shop's currency. */
  readonly price: bigint;
  /** What it cost before; null: nothing, or no more. */
  readonly compareAt: bigint | null;
  readonly inventoryItemId: string;
  /** Whether the shop counts it. */
  readonly tracked: boolean;
  /** How many can be sold, at all locations of the shop. */
  readonly available: number;
}

/** A product as its shop has it now. */
export interface ShopProduct {
  readonly id: string;
  /** What it is here, where it was made by us; null: by somebody else. */
  readonly ownId: string | null;
  readonly updatedAt: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly vendor: string | null;
  readonly type: string | null;
  readonly tags: readonly string[];
  readonly status: 'active' | 'draft' | 'archived';
  readonly options: readonly string[];
  readonly currency: string;
  readonly variants: readonly ShopVariant[];
}

/** Variants in one page: a query of more would cost more than Shopify answers. */
const pageOfVariants = 50;

const variants = `variants(first: ${pageOfVariants}, after: $after) { pageInfo { hasNextPage endCursor } nodes {
  id sku barcode price compareAtPrice inventoryQuantity selectedOptions { name value }
  inventoryItem { id tracked requiresShipping measurement { weight { value unit } } } } }`;

/** Where the app keeps what a product of the shop is here: unique in the shop, and nobody else's to write. */
export const ownKey = { namespace: '$app', key: 'product_id' } as const;

const productQuery = `query Product($id: ID!, $after: String) { shop { currencyCode } product(id: $id) {
  id own: metafield(namespace: "${ownKey.namespace}", key: "${ownKey.key}") { value } updatedAt title descriptionHtml vendor productType tags status options(first: 5) { name } ${variants} } }`;
const variantsQuery = `query ProductVariants($id: ID!, $after: String) { product(id: $id) { ${variants} } }`;

/** A product as its shop has it now, whole; undefined where the shop has none of the id. @throws NeverApplies for one that is larger than products are here */
export async function readProduct(ask: Ask, id: string): Promise<ShopProduct | undefined> {
  const gid = `gid://shopify/Product/${id}`;
  const answered = await ask(productQuery, { id: gid });
  if (answered['product'] === null) return undefined;
  const product = membersOf(answered['product']);
  const currency = textOf(membersOf(answered['shop'])['currencyCode']) ?? '';
  const all = [...nodesOf(product['variants'])];
  for (let after = nextOf(product['variants']); after !== undefined;) {
    if (all.length >= mostVariants)
      throw new NeverApplies(`The product has more than ${mostVariants} variants, which is more than one has here.`);
    const page = membersOf((await ask(variantsQuery, { id: gid, after }))['product'])['variants'];
    all.push(...nodesOf(page));
    after = nextOf(page);
  }
  const options = listOf(product['options']).map(({ name }) => lineOf(name) ?? 'Option');
  // A product without options has one that is only a name.
  const plain = all.length === 1 && options.length === 1 && options[0] === 'Title';
  return {
    id: idOf(product['id']),
    ownId: uuidIn(membersOf(product['own'])['value']),
    updatedAt: momentOf(product['updatedAt']),
    title: lineOf(product['title']) ?? 'Product',
    description: markdownOf(textOf(product['descriptionHtml'], 50_000) ?? '').slice(0, 20_000),
    vendor: lineOf(product['vendor']) ?? null,
    type: lineOf(product['productType']) ?? null,
    tags: (Array.isArray(product['tags']) ? product['tags'] : []).flatMap((tag) => lineOf(tag) ?? []).slice(0, 100),
    status: product['status'] === 'ACTIVE' ? 'active' : product['status'] === 'DRAFT' ? 'draft' : 'archived',
    options: plain ? [] : options,
    currency,
    variants: all.map((one) => variantIn(one, currency, plain)),
  };
}

const uuidIn = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : null;

const grams = dictionary<number>({
  GRAMS: 1,
  KILOGRAMS: 1_000,
  OUNCES: 28.349_523_125,
  POUNDS: 453.592_37,
});

function variantIn(one: Members, currency: string, plain: boolean): ShopVariant {
  const item = membersOf(one['inventoryItem']);
  const { value, unit } = membersOf(membersOf(item['measurement'])['weight']);
  const weight = typeof value === 'number' ? Math.round(value * (grams[String(unit)] ?? 0)) : 0;
  const price = minorOf(one['price'], currency);
  const before = typeof one['compareAtPrice'] === 'string' ? minorOf(one['compareAtPrice'], currency) : null;
  const available = one['inventoryQuantity'];
  return {
    id: idOf(one['id']),
    options: plain
      ? {}
      : Object.fromEntries(
          listOf(one['selectedOptions']).map((option) => [
            lineOf(option['name']) ?? 'Option',
            lineOf(option['value']) ?? '-',
          ]),
        ),
    sku: lineOf(one['sku'], 100) ?? null,
    barcode: lineOf(one['barcode'], 100) ?? null,
    weightGrams: weight > 0 && weight <= 100_000_000 ? weight : null,
    requiresShipping: item['requiresShipping'] === true,
    price,
    compareAt: before !== null && before > price ? before : null,
    inventoryItemId: idOf(item['id']),
    tracked: item['tracked'] === true,
    available: typeof available === 'number' && Number.isSafeInteger(available) ? available : 0,
  };
}
