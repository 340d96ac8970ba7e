import { markdownOf } from '@steward/catalogue';
import { ProviderRefused } from '@steward/kernel';
import type { Ask } from './client.ts';
import { pageHtmlOf } from './html.ts';
import { ownKey, type ShopProduct, type ShopVariant } from './product.ts';
import { idOf, lineOf, listOf, type Members, membersOf, minorOf, textOf, UnexpectedAnswer } from './read.ts';

/** A variant as it is described here. */
export interface DescribedVariant {
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** For one, in the currency of the shop, with exactly its digits. */
  readonly price: string;
  readonly compareAt: string | null;
}

/** A product as it is described here. */
export interface Described {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly vendor: string | null;
  readonly type: string | null;
  readonly tags: readonly string[];
  readonly status: ShopProduct['status'];
  readonly options: readonly string[];
  readonly variants: readonly DescribedVariant[];
  /** What a shop can fetch, in their order. */
  readonly pictures: readonly { readonly url: string; readonly alt: string }[];
}

const shopQuery = `query Currency { shop { currencyCode } }`;
const ownQuery = `query OwnProduct($own: UniqueMetafieldValueInput!) { productByIdentifier(identifier: { customId: $own }) { id } }`;
const definitionMutation = `mutation OwnIds($definition: MetafieldDefinitionInput!) {
  metafieldDefinitionCreate(definition: $definition) { userErrors { code message } } }`;
const setMutation = `mutation SetProduct($identifier: ProductSetIdentifiers!, $input: ProductSetInput!) {
  productSet(identifier: $identifier, input: $input, synchronous: true) { product { id } userErrors { code message } } }`;

/** The currency that a shop has its prices in. */
export async function readCurrency(ask: Ask): Promise<string> {
  const currency = textOf(membersOf((await ask(shopQuery))['shop'])['currencyCode'], 3);
  if (currency === undefined) throw new UnexpectedAnswer('Shopify answered no currency');
  return currency;
}

const ownOf = (productId: string): Members => ({ ...ownKey, value: productId });

/** The id in the shop of what was made of a product of this side; undefined where there is nothing. */
export async function findOwn(ask: Ask, productId: string): Promise<string | undefined> {
  const found = (await ask(ownQuery, { own: ownOf(productId) }))['productByIdentifier'];
  return typeof found === 'object' && found !== null ? idOf(membersOf(found)['id']) : undefined;
}

/**
 * Has a shop keep which product of this side each of its own is: once for each product, so that one that is made twice is there once.
 * Source: https://shopify.dev/docs/apps/build/metafields/working-with-custom-ids
 */
export async function defineOwnIds(ask: Ask): Promise<void> {
  const { metafieldDefinitionCreate: answered } = await ask(definitionMutation, {
    definition: { ...ownKey, name: 'Product in Steward', type: 'id', ownerType: 'PRODUCT' },
  });
  const faults = membersOf(answered)['userErrors'];
  if (!Array.isArray(faults) || listOf(faults).some(({ code }) => code !== 'TAKEN'))
    throw new UnexpectedAnswer('Shopify did not define where ids of products are kept');
}

/** Which variant of the shop each variant here is: as is known, else the one with the same options. By ids here. */
export function matchVariants(
  described: readonly Pick<DescribedVariant, 'id' | 'options'>[],
  there: readonly Pick<ShopVariant, 'id' | 'options'>[],
  /** Ids here, by those in the shop. */
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const ours = new Set(described.map(({ id }) => id));
  const matched = new Map(
    there.flatMap(({ id }) => {
      const own = known.get(id);
      return own !== undefined && ours.has(own) ? [[own, id] as const] : [];
    }),
  );
  const taken = new Set(matched.values());
  const free = new Map(there.filter(({ id }) => !taken.has(id)).map(({ id, options }) => [valuesOf(options), id]));
  for (const { id, options } of described) {
    const found = matched.has(id) ? undefined : free.get(valuesOf(options));
    if (found !== undefined) matched.set(id, found);
  }
  return matched;
}

const valuesOf = (options: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(options)
      .map(([name, value]) => [lineOf(name) ?? '', lineOf(value) ?? ''])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );

/**
 * What a shop is to be told so that it has a product as it is described here; undefined where it has it so. What is the same is left out: the shop keeps
 * it as it writes it.
 * @param there undefined: it has none yet
 * @param matched ids of variants in the shop, by ids here
 * @param counted whether the shop counts what is new
 */
export function changesOf(
  described: Described,
  there: ShopProduct | undefined,
  matched: ReadonlyMap<string, string>,
  { currency, counted }: { readonly currency: string; readonly counted: boolean },
): Members | undefined {
  const { title, description, vendor, type, tags, status, options } = described;
  const html = pageHtmlOf(description);
  const isSameText =
    there !== undefined && (there.description === description || there.description === markdownOf(html));
  const variants = variantsOf(described, there, matched, { currency, counted });
  const changes: Members = {
    ...(lineOf(title) === there?.title ? {} : { title }),
    ...(isSameText || (there === undefined && description === '') ? {} : { descriptionHtml: html }),
    // A shop names itself as the vendor of what has none.
    ...(vendor === null || lineOf(vendor) === there?.vendor ? {} : { vendor }),
    ...((type ?? '') === (there?.type ?? '') ? {} : { productType: type ?? '' }),
    ...(isSameSet(tags, there?.tags ?? []) ? {} : { tags }),
    ...(status === there?.status ? {} : { status: status.toUpperCase() }),
    ...(variants === undefined
      ? {}
      : {
          productOptions: options.length === 0 ? [plainOption] : options.map((name) => optionOf(name, described)),
          variants,
        }),
    ...(there === undefined ? { metafields: [{ ...ownOf(described.id), type: 'id' }] } : {}),
    ...(there !== undefined || described.pictures.length === 0
      ? {}
      : {
          files: described.pictures.map(({ url, alt }) => ({ originalSource: url, alt, contentType: 'IMAGE' })),
        }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** What a product without options has in a shop. */
const plainOption = { name: 'Title', values: [{ name: 'Default Title' }] } as const;

const optionOf = (name: string, { variants }: Described): Members => ({
  name,
  values: [...new Set(variants.map(({ options }) => options[name] ?? ''))].map((value) => ({ name: value })),
});

/** Tags of a shop are the same in any order, and in capitals or not. */
const isSameSet = (some: readonly string[], others: readonly string[]): boolean => {
  const [a, b] = [some, others].map((all) => new Set(all.map((one) => (lineOf(one) ?? '').toLowerCase())));
  return a?.size === b?.size && [...(a ?? [])].every((one) => b?.has(one) === true);
};

/** All of them, as each one that is left out is taken off; undefined where all are the same. */
function variantsOf(
  described: Described,
  there: ShopProduct | undefined,
  matched: ReadonlyMap<string, string>,
  { currency, counted }: { readonly currency: string; readonly counted: boolean },
): readonly Members[] | undefined {
  const present = new Map((there?.variants ?? []).map((one) => [one.id, one]));
  let isSame = there !== undefined && there.variants.length === described.variants.length;
  if (JSON.stringify(there?.options) !== JSON.stringify(described.options.map((name) => lineOf(name)))) isSame = false;
  const variants = described.variants.map((one): Members => {
    const before = present.get(matched.get(one.id) ?? '');
    const inventoryItem: Members = {
      ...(before === undefined ? { tracked: counted } : {}),
      ...(one.requiresShipping === before?.requiresShipping ? {} : { requiresShipping: one.requiresShipping }),
      ...((one.weightGrams ?? 0) === (before?.weightGrams ?? 0)
        ? {}
        : { measurement: { weight: { value: one.weightGrams ?? 0, unit: 'GRAMS' } } }),
    };
    const compareAt = one.compareAt === null ? null : minorOf(one.compareAt, currency);
    const differs: Members = {
      ...(minorOf(one.price, currency) === before?.price ? {} : { price: one.price }),
      ...(compareAt === (before?.compareAt ?? null) ? {} : { compareAtPrice: one.compareAt }),
      ...(one.sku === (before?.sku ?? null) ? {} : { sku: one.sku ?? '' }),
      ...(one.barcode === (before?.barcode ?? null) ? {} : { barcode: one.barcode ?? '' }),
      ...(Object.keys(inventoryItem).length === 0 ? {} : { inventoryItem }),
    };
    if (before === undefined || Object.keys(differs).length > 0 || valuesOf(before.options) !== valuesOf(one.options))
      isSame = false;
    const named = Object.entries(one.options);
    return {
      ...(before === undefined ? {} : { id: `gid://shopify/ProductVariant/${before.id}` }),
      optionValues:
        named.length === 0
          ? [{ optionName: plainOption.name, name: plainOption.values[0].name }]
          : named.map(([optionName, name]) => ({ optionName, name })),
      ...differs,
    };
  });
  return isSame ? undefined : variants;
}

/**
 * Sets a product of a shop: the one of this id, or else the one that was made of the product here; where there is none, it is made.
 * @returns its id, or in which words the shop refuses
 * @throws ProviderRefused, ProviderUnavailable; it may have been carried out then
 */
export async function setProduct(
  ask: Ask,
  product: { readonly externalId: string } | { readonly productId: string },
  input: Members,
): Promise<{ readonly id: string } | { readonly refused: string }> {
  const identifier =
    'externalId' in product
      ? { id: `gid://shopify/Product/${product.externalId}` }
      : { customId: ownOf(product.productId) };
  let answered: Members;
  try {
    answered = membersOf((await ask(setMutation, { identifier, input }))['productSet']);
  } catch (error) {
    // A query that Shopify does not take, of this product: of others it may.
    if (error instanceof ProviderRefused && error.status === 200 && error.code !== 'ACCESS_DENIED')
      return { refused: error.message };
    throw error;
  }
  const faults = answered['userErrors'];
  if (!Array.isArray(faults)) throw new UnexpectedAnswer('Shopify answered nothing to what was set');
  const words = listOf(faults).map(({ code, message }) => lineOf(message) ?? lineOf(code) ?? 'refused');
  if (words.length > 0) return { refused: words.slice(0, 3).join(' ').slice(0, 500).toWellFormed() };
  return { id: idOf(membersOf(answered['product'])['id']) };
}
