import { createHash } from 'node:crypto';
import { field, id, moment, moneyShape, nullable, type Of, pageOf, shape, text, texts } from '@steward/contract';
import { formatAmount } from '@steward/kernel';
import {
  afterAllIds,
  type Page,
  type PageRequest,
  parseCursor,
  type Row,
  statement,
  type TenantContext,
} from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { imageOf, imageShape, located, mediumShape } from '../media/medium.ts';
import { serveCatalogue } from '../permissions.ts';
import { lowestRunning } from '../price-lists/running.ts';
import { soldProduct, wholeProduct, type WholeProduct } from './product.ts';
import { corrected, corrections, type Correction, foundOrCorrected } from './spelling.ts';
import { anyBuyable, available, found, type Finding, sieveOf } from './terms.ts';
import { pageOfWalk, walk, walkedIn } from './walk.ts';

const range = z.object({
  currency: z.string(),
  lowest: moneyShape.shape.amount,
  highest: moneyShape.shape.amount,
});

const summary = {
  id: id('p.product_id'),
  handle: text(),
  title: text(),
  vendor: nullable(text()),
  type: nullable(text('p.product_type')),
  tags: texts(),
  /** The lowest and the highest price for one at this moment, over the variants. Of the brand `$2`. */
  priceRanges: field(
    z.array(range),
    `(select json_agg(json_build_object('currency', r.currency, 'lowest', r.lowest::text, 'highest', r.highest::text) order by r.currency)
      from (select c.currency, min(least(c.amount, ${lowestRunning})) as lowest, max(least(c.amount, ${lowestRunning})) as highest
        from catalogue.variant v join catalogue.price c on c.tenant_id = v.tenant_id and c.variant_id = v.variant_id and c.min_quantity = 1
        where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null group by c.currency) r)`,
    (stored) =>
      ((stored ?? []) as readonly z.output<typeof range>[]).map(({ currency, lowest, highest }) => ({
        currency,
        lowest: formatAmount(BigInt(lowest), currency),
        highest: formatAmount(BigInt(highest), currency),
      })),
  ),
  image: field(imageShape.nullable(), imageOf, (stored) => stored as z.output<typeof imageShape> | null),
  updatedAt: moment(),
};

/** What visitors see of a product in a list. */
export const publishedSummary = shape('p', summary);
export type PublishedSummary = Of<typeof publishedSummary>;

const {
  description,
  options: _names,
  variants,
  taxCategory: _tax,
  status: _status,
  ...rest
} = wholeProduct.answer.shape;

/** What visitors see of one product: nothing of how it is taxed, or of where else it is sold. */
export const publishedProduct = z.object({
  id: rest.id,
  handle: rest.handle,
  title: rest.title,
  /** Markdown: HTML in it is text. */
  description,
  vendor: rest.vendor,
  type: rest.type,
  tags: rest.tags,
  /** In their order, each with its values in the order of the variants. */
  options: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  variants: z.array(
    variants.element.omit({ barcode: true }).extend({
      available: z.boolean().meta({ description: 'Whether one can be bought now, as far as stock goes.' }),
    }),
  ),
  custom: rest.custom,
  media: z.array(imageShape.extend({ id: z.uuid(), variantIds: mediumShape.shape.variantIds })),
  updatedAt: rest.updatedAt,
});
export type PublishedProduct = z.output<typeof publishedProduct>;

/** A page of products, and which words were looked for in place of others. */
export const foundPage = pageOf(publishedSummary.answer.extend({ available })).extend({ corrections });
type Found = Page<PublishedSummary & { readonly available: boolean }> & { readonly corrections: Correction[] };

const present = (mediaAt: string) => (row: Row) => ({
  ...located(publishedSummary.read(row), mediaAt),
  available: row['available'] === true,
});

type Looked = Omit<Finding, 'sku'> & { readonly available?: boolean | undefined };

/** `$2` is the brand. */
const sold = `p.status = 'active' and exists (select from catalogue.publication b
  where b.tenant_id = p.tenant_id and b.brand_id = $2::uuid and b.product_id = p.product_id)`;

/**
 * An active product that is published to the brand, by its handle. Undefined where there is none: of another brand, a draft or archived, the
 * answer is one.
 */
export async function readPublished(
  context: TenantContext,
  brandId: string,
  handle: string,
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<PublishedProduct | undefined> {
  const [row] = await context.require(serveCatalogue).read(
    statement(
      `select ${soldProduct.columns}, array(select v.variant_id from catalogue.variant v where v.tenant_id = p.tenant_id
           and v.product_id = p.product_id and v.removed_at is null and not ${buyable('v.variant_id')}) as sold_out
         from catalogue.product p where p.tenant_id = $1::uuid and ${sold} and p.handle = $3`,
      [context.tenant, brandId, handle],
    ),
  );
  if (row === undefined) return undefined;
  return shown(located(soldProduct.read(row), mediaAt), new Set(row['sold_out'] as string[]));
}

/** A page of the products that are sold by the brand, the newest first, that meet all that is looked for. */
export async function listPublished(
  context: TenantContext,
  brandId: string,
  { limit, cursor = afterAllIds, query, available: wantsAvailable, ...wanted }: PageRequest & Looked,
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<Found> {
  const { read } = context.require(serveCatalogue);
  const find = async (words: string | undefined) => {
    const values: unknown[] = [context.tenant, brandId, ...parseCursor(cursor, uuid), limit + 1];
    const conditions = found({ ...wanted, query: words }, (value) => `$${values.push(value)}`);
    const listed = walk(
      `${publishedSummary.columns}, ${anyBuyable(buyable)} as available`,
      {
        from: `catalogue.publication s join catalogue.product p on p.tenant_id = s.tenant_id and p.product_id = s.product_id`,
        conditions: [
          `s.tenant_id = $1::uuid and s.brand_id = $2::uuid and s.product_id < $3::uuid and p.status = 'active'`,
          ...conditions,
        ],
        order: 's.product_id desc',
      },
      '$4::int',
      sieveOf(wantsAvailable, buyable),
    );
    return walkedIn(await read(statement(listed, values)));
  };
  const { rows, corrections: made } = await foundOrCorrected(query, find, async (words) =>
    corrected(read, context.tenant, words, sold, brandId),
  );
  const listed = pageOfWalk(rows, limit, present(mediaAt), ({ id: last }) => last);
  return { ...listed, corrections: made };
}

/**
 * A page of the products in a collection that are sold by the brand: in the order that was chosen by hand, or the newest first where rules ask for
 * them. Undefined where pages of the brand show no such collection.
 * @param request `collection`: its handle. `cursor`: a place in the order by hand, or an id
 */
export async function listCollected(
  context: TenantContext,
  brandId: string,
  {
    limit,
    cursor,
    collection,
    query,
    available: wantsAvailable,
    ...wanted
  }: PageRequest & { readonly collection: string } & Looked,
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<Found | undefined> {
  const { tenant } = context;
  const { read, readAll } = context.require(serveCatalogue);
  const find = async (words: string | undefined) => {
    const values: unknown[] = [tenant, brandId, collection, limit + 1];
    const say = (value: unknown): string => `$${values.push(value)}`;
    const conditions = [
      ...(cursor === undefined
        ? []
        : [
            /^\d+$/.test(cursor)
              ? `m.position > ${say(cursor)}::int`
              : `m.position = 0 and m.product_id < ${say(parseCursor(cursor, uuid)[0])}::uuid`,
          ]),
      ...found({ ...wanted, query: words }, say),
    ];
    return readAll([
      statement(
        `select k.rules is null as chosen from catalogue.collection k where k.tenant_id = $1::uuid and ${showing}`,
        [tenant, brandId, collection],
      ),
      statement(
        walk(
          `${publishedSummary.columns}, ${anyBuyable(buyable)} as available`,
          {
            from: `catalogue.collection_product m join catalogue.product p on p.tenant_id = m.tenant_id and p.product_id = m.product_id`,
            conditions: [
              `m.tenant_id = $1::uuid and m.collection_id =
                 (select k.collection_id from catalogue.collection k where k.tenant_id = $1::uuid and ${showing})`,
              sold,
              ...conditions,
            ],
            order: 'm.position, m.product_id desc',
            position: 'm.position',
          },
          '$4::int',
          sieveOf(wantsAvailable, buyable),
        ),
        values,
      ),
    ]);
  };
  let named: Row | undefined;
  const { rows, corrections: made } = await foundOrCorrected(
    query,
    async (words) => {
      const [[first] = [], products = []] = await find(words);
      named = first;
      return walkedIn(products);
    },
    async (words) => (named === undefined ? undefined : corrected(read, tenant, words, sold, brandId)),
  );
  if (named === undefined) return undefined;
  const { chosen } = named as Row;
  const listed = pageOfWalk(rows, limit, present(mediaAt), ({ id: last, position }) =>
    chosen === true ? position : last,
  );
  return { ...listed, corrections: made };
}

/** The collection of handle `$3` that pages of the brand `$2` show. */
const showing = `k.handle = $3 and k.archived_at is null and $2::uuid = any (k.brand_ids)`;

const uuid = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const shown = (
  { id: productId, handle, title, description: said, vendor, type, tags, ...one }: WholeProduct,
  soldOut: ReadonlySet<string>,
) => ({
  id: productId,
  handle,
  title,
  description: said,
  vendor,
  type,
  tags: [...tags],
  options: one.options.map((name) => ({
    name,
    values: [...new Set(one.variants.map(({ options }) => options[name] ?? ''))],
  })),
  variants: one.variants.map(({ barcode: _barcode, prices, ...variant }) => ({
    ...variant,
    prices: [...prices],
    available: !soldOut.has(variant.id),
  })),
  custom: { ...one.custom },
  media: one.media.flatMap(({ id, url, alt, width, height, variantIds }) =>
    url === null || width === null || height === null
      ? []
      : [{ id, url, alt, width, height, variantIds: [...variantIds] }],
  ),
  updatedAt: one.updatedAt,
});

/** A strong entity tag of a text. */
export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
