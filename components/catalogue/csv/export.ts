import { heavily } from '@steward/access';
import { csvRow, type Fixed } from '@steward/contract';
import { isCurrency } from '@steward/kernel';
import { beforeAllIds, type TenantContext } from '@steward/sql';
import { refused } from '../errors.ts';
import type { Medium } from '../media/medium.ts';
import { readCatalogue } from '../permissions.ts';
import { selectProducts, type Variant, wholeProduct, type WholeProduct } from '../products/product.ts';
import { toWrite, writeTags } from './cells.ts';
import { type Column, exported } from './columns.ts';
import { htmlOf } from './markdown.ts';

/** A product may have a thousand variants. */
const pageSize = 10;

/**
 * All products in the format of Shopify's product CSV, the oldest first, a page at a time: a row for each variant, with its price for one
 * in the currency, and one for each picture. Cells that a spreadsheet would run are made text.
 * @throws Problem `invalid_request` (400)
 */
export async function* exportProducts(
  context: TenantContext,
  currency: string,
  mediaAt: string,
): AsyncGenerator<string> {
  if (!isCurrency(currency)) {
    const detail = `${currency} is no currency of ISO 4217 with a minor unit.`;
    throw refused([{ pointer: '/currency', code: 'unknown_currency', detail }]);
  }
  const page = async (after: string) =>
    context
      .require(heavily(readCatalogue))
      .read(
        selectProducts(
          wholeProduct.columns,
          'p.product_id > $2::uuid order by p.product_id limit $3::int',
          context.tenant,
          after,
          pageSize,
        ),
      );
  // The heading comes with the first page, so that a stranger is refused before any line.
  let rows = await page(beforeAllIds);
  yield csvRow(exported.map(([, heading]) => heading));
  while (rows.length > 0) {
    const products = rows.map((row) => wholeProduct.read(row));
    for (const one of products) yield rowsOf(one, currency, mediaAt);
    rows = await page(products.at(-1)?.id ?? '');
  }
}

/** Pictures stand beside variants, and in rows of their own where there are more of them. */
const rowsOf = (product: WholeProduct, currency: string, mediaAt: string): string =>
  Array.from({ length: Math.max(product.variants.length, product.media.length) }, (_one, index) => {
    const [variant, medium] = [product.variants[index], product.media[index]];
    const said: Cells = {
      handle: product.handle,
      ...(variant === undefined ? {} : cellsOf(variant, product, currency)),
      ...(index === 0 ? membersOf(product) : {}),
      ...(medium === undefined ? {} : pictureOf(medium, index, mediaAt)),
    };
    return csvRow(exported.map(([column]) => toWrite(said[column] ?? '')));
  }).join('');

/** Where it is served; while it is not, where it comes from. */
const pictureOf = ({ url, source, alt }: Medium, index: number, mediaAt: string): Cells => ({
  image: url === null ? source : mediaAt + url,
  imagePosition: String(index + 1),
  imageAlt: alt,
});

type Cells = Partial<Record<Column, string | null>>;

const yesOrNo = (is: boolean): string => (is ? 'TRUE' : 'FALSE');

const membersOf = ({
  title,
  description,
  vendor,
  type,
  tags,
  brandIds,
  status,
  taxCategory,
  options,
}: WholeProduct): Cells => ({
  title,
  body: htmlOf(description),
  markdown: description,
  vendor,
  type,
  tags: writeTags(tags),
  published: yesOrNo(brandIds.length > 0),
  status: status.slice(0, 1).toUpperCase() + status.slice(1),
  taxCategory,
  ...(options.length === 0
    ? { name1: 'Title' }
    : Object.fromEntries(options.map((name, index) => [`name${index + 1}`, name]))),
});

function cellsOf(variant: Fixed<Variant>, { options }: WholeProduct, currency: string): Cells {
  const price = variant.prices.find((one) => one.currency === currency && one.minQuantity === 1);
  return {
    ...(options.length === 0
      ? { value1: 'Default Title' }
      : Object.fromEntries(options.map((name, index) => [`value${index + 1}`, variant.options[name] ?? '']))),
    sku: variant.sku,
    grams: variant.weightGrams === null ? null : String(variant.weightGrams),
    price: price?.amount ?? null,
    compareAt: price?.compareAt ?? null,
    ships: yesOrNo(variant.requiresShipping),
    barcode: variant.barcode,
  };
}
