import { createHash } from 'node:crypto';
import { field, id, moment, moneyShape, nullable, type Of, pageOf, shape, text, texts } from '@steward/contract';
import { formatAmount } from '@steward/kernel';
import {
  afterAllIds,
  beforeAllIds,
  type Page,
  type PageRequest,
  parseCursor,
  type Row,
  statement,
  type TenantContext,
} from '@steward/sql';
import { z } from 'zod';
import type { Buyable, CatalogueDeps } from '../deps.ts';
import { imageOf, imageShape, located, mediumShape } from '../media/medium.ts';
import { serveCatalogue } from '../permissions.ts';
import { lowestRunning, nextChange } from '../price-lists/running.ts';
import { type Facet, facets } from './facets.ts';
import { soldProduct, wholeProduct, type WholeProduct } from './product.ts';
import { corrected, corrections, type Correction, foundOrCorrected } from './spelling.ts';
import { counted, seeking, type Seeking, type Sought } from './seek.ts';
import { all, available, type Several } from './terms.ts';
import { pageOfWalk } from './walk.ts';

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
export const foundPage = pageOf(publishedSummary.answer.extend({ available })).extend({ corrections, facets });
type Found = Page<PublishedSummary & { readonly available: boolean }> & {
  readonly corrections: Correction[];
  readonly facets?: Facet[];
};

const present = (mediaAt: string) => (row: Row) => ({
  ...located(publishedSummary.read(row), mediaAt),
  available: row['available'] === true,
});

type Looked = PageRequest & Omit<Sought, 'sku'>;

/** Not by the index of statuses, which a planner without statistics takes for the key: it would read all of them for each product. */
const active = `(p.status = 'active') is true`;

/** `$2` is the brand. */
const sold = `${active} and exists (select from catalogue.publication b
  where b.tenant_id = p.tenant_id and b.brand_id = $2::uuid and b.product_id = p.product_id)`;

/**
 * An active product that is published to the brand, by its handle. Undefined where there is none: of another brand, a draft or archived, the
 * answer is one. `lasts`: milliseconds until a price list begins or ends, where one does within a second.
 */
export async function readPublished(
  context: TenantContext,
  brandId: string,
  handle: string,
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<{ readonly product: PublishedProduct; readonly lasts: number | undefined } | undefined> {
  const [row] = await context.require(serveCatalogue).read(
    statement(
      `select ${soldProduct.columns}, array(select v.variant_id from catalogue.variant v where v.tenant_id = p.tenant_id
           and v.product_id = p.product_id and v.removed_at is null and not ${buyable('v.variant_id')}) as sold_out,
           ${nextChange} as lasts
         from catalogue.product p where p.tenant_id = $1::uuid and ${sold} and p.handle = $3`,
      [context.tenant, brandId, handle],
    ),
  );
  if (row === undefined) return undefined;
  const lasts = row['lasts'] as number | null;
  return {
    product: shown(located(soldProduct.read(row), mediaAt), new Set(row['sold_out'] as string[])),
    lasts: lasts ?? undefined,
  };
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * Active products that are published to the brand, whole, by any names of theirs: ids of products or variants, handles, SKUs. Each once, in no order;
 * a name of nothing that the brand sells finds nothing. `lasts`: as for `readPublished`.
 */
export async function publishedNamed(
  context: TenantContext,
  brandId: string,
  names: readonly string[],
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<{ readonly products: readonly PublishedProduct[]; readonly lasts: number | undefined }> {
  if (names.length === 0) return { products: [], lasts: undefined };
  const ids = names.filter(isUuid);
  const rows = await context.require(serveCatalogue).read(
    statement(
      `select ${soldProduct.columns}, array(select v.variant_id from catalogue.variant v where v.tenant_id = p.tenant_id
           and v.product_id = p.product_id and v.removed_at is null and not ${buyable('v.variant_id')}) as sold_out, ${nextChange} as lasts
         from catalogue.product p where p.tenant_id = $1::uuid and ${sold} and p.product_id in (
           select p.product_id from catalogue.product p where p.tenant_id = $1::uuid
             and (p.product_id = any ($3::uuid[]) or p.handle = any ($4::text[]))
           union select v.product_id from catalogue.variant v where v.tenant_id = $1::uuid and v.removed_at is null
             and (v.variant_id = any ($3::uuid[]) or v.sku = any ($4::text[])))
         limit 500`,
      [context.tenant, brandId, ids, names],
    ),
  );
  const lasts = rows.flatMap((row) => (typeof row['lasts'] === 'number' ? [row['lasts']] : []));
  return {
    products: rows.map((row) => shown(located(soldProduct.read(row), mediaAt), new Set(row['sold_out'] as string[]))),
    lasts: lasts.length === 0 ? undefined : Math.min(...lasts),
  };
}

/** Of a page of whole products. */
const mostWhole = 50;

/** Active products that are published to the brand, whole, in the order of their ids. @param after the id of the last one of the page before */
export async function publishedAfter(
  context: TenantContext,
  brandId: string,
  after: string | undefined,
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<PublishedProduct[]> {
  const rows = await context.require(serveCatalogue).read(
    statement(
      `select ${soldProduct.columns}, array(select v.variant_id from catalogue.variant v where v.tenant_id = p.tenant_id
           and v.product_id = p.product_id and v.removed_at is null and not ${buyable('v.variant_id')}) as sold_out
         from catalogue.publication s join catalogue.product p on p.tenant_id = s.tenant_id and p.product_id = s.product_id
         where s.tenant_id = $1::uuid and s.brand_id = $2::uuid and s.product_id > $3::uuid and ${active}
         order by s.product_id limit ${mostWhole}`,
      [context.tenant, brandId, after ?? beforeAllIds],
    ),
  );
  return rows.map((row) => shown(located(soldProduct.read(row), mediaAt), new Set(row['sold_out'] as string[])));
}

/** A variant that a brand sells. */
export interface SoldVariant {
  readonly id: string;
  readonly sku: string | null;
  /** In which it has a price. */
  readonly currencies: readonly string[];
}

/** Those variants of active products that are published to the brand, by their ids and SKUs. */
export async function variantsSold(
  context: TenantContext,
  brandId: string,
  names: readonly string[],
): Promise<SoldVariant[]> {
  if (names.length === 0) return [];
  return context.require(serveCatalogue).read<SoldVariant & Record<string, unknown>>(
    statement(
      `select v.variant_id as id, v.sku, array(select distinct c.currency from catalogue.price c
           where c.tenant_id = v.tenant_id and c.variant_id = v.variant_id and c.min_quantity = 1 order by 1) as currencies
         from catalogue.variant v join catalogue.product p on p.tenant_id = v.tenant_id and p.product_id = v.product_id
         where v.tenant_id = $1::uuid and v.removed_at is null and (v.variant_id = any ($3::uuid[]) or v.sku = any ($4::text[])) and ${sold}
         order by v.variant_id limit 2000`,
      [context.tenant, brandId, names.filter(isUuid), names],
    ),
  );
}

interface Selling {
  readonly tenant: string;
  readonly brandId: string;
  readonly buyable: Buyable;
}

/** What the brand sells, the newest first. `$2` is the brand. @param within handles of collections that products are in */
const selling = (
  { tenant, brandId, buyable }: Selling,
  { cursor = afterAllIds, ...sought }: Looked,
  within: readonly string[] = [],
): Seeking =>
  seeking(
    tenant,
    {
      ...ofBrand(brandId, buyable),
      chosenCollections: within,
      among: (say, whole) => ({
        ...allSold,
        conditions: [
          ...allSold.conditions,
          ...(whole || within.length === 0
            ? []
            : [
                `p.product_id in (select m.product_id from catalogue.collection_product m join catalogue.collection k
                   on k.tenant_id = m.tenant_id and k.collection_id = m.collection_id
                 where m.tenant_id = $1::uuid and k.handle = any (${say(within)}::text[]) and ${showing})`,
              ]),
        ],
      }),
      after: (say) => [`s.product_id < ${say(parseCursor(cursor, uuid)[0])}::uuid`],
    },
    sought,
  );

const ofBrand = (brandId: string, buyable: Buyable) => ({
  first: [brandId],
  columns: publishedSummary.columns,
  buyable,
  paid: `least(c.amount, ${lowestRunning})`,
  collections: { value: 'k.handle', shown: showing },
});

const allSold = {
  from: `catalogue.publication s join catalogue.product p on p.tenant_id = s.tenant_id and p.product_id = s.product_id`,
  conditions: [`s.tenant_id = $1::uuid and s.brand_id = $2::uuid and ${active}`],
  order: 's.product_id desc',
};

/** What the brand sells of one collection, in the collection's order. */
const sellingOf = ({ tenant, brandId, buyable }: Selling, { cursor, ...sought }: Looked, collection: string): Seeking =>
  seeking(
    tenant,
    {
      ...ofBrand(brandId, buyable),
      chosenCollections: [collection],
      among: (say, whole) =>
        whole
          ? allSold
          : {
              from: `catalogue.collection_product m join catalogue.product p on p.tenant_id = m.tenant_id and p.product_id = m.product_id`,
              conditions: [
                `m.tenant_id = $1::uuid and m.collection_id =
                   (select k.collection_id from catalogue.collection k where k.tenant_id = $1::uuid and k.handle = ${say(collection)} and ${showing})`,
                sold,
              ],
              order: 'm.position, m.product_id desc',
              position: 'm.position',
            },
      after: (say) =>
        cursor === undefined
          ? []
          : [
              /^\d+$/.test(cursor)
                ? `m.position > ${say(cursor)}::int`
                : `m.position = 0 and m.product_id < ${say(parseCursor(cursor, uuid)[0])}::uuid`,
            ],
    },
    sought,
  );

/** A page of the products that are sold by the brand, the newest first, that meet all that is looked for. */
export async function listPublished(
  context: TenantContext,
  brandId: string,
  { limit, query, ...looked }: Looked,
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<Found> {
  const { tenant } = context;
  const { read, readAll } = context.require(serveCatalogue);
  const sought = selling({ tenant, brandId, buyable }, { limit, ...looked });
  const { rows, corrections: made } = await foundOrCorrected(
    query,
    async (words) => sought.read(await readAll(sought.statements(words, limit))),
    async (words) => corrected(read, tenant, words, sold, brandId),
  );
  const listed = pageOfWalk(rows, limit, present(mediaAt), ({ id: last }) => last);
  return { ...listed, corrections: made, ...counted(looked, rows) };
}

/**
 * A page of the products in a collection that are sold by the brand: in the order that was chosen by hand, or the newest first where rules ask for
 * them. Of several collections: those in any, the newest first. Undefined where pages of the brand do not show one of them.
 * @param request `collection`: handles. `cursor`: a place in the order by hand, or an id
 */
export async function listCollected(
  context: TenantContext,
  brandId: string,
  { limit, query, collection, ...looked }: Looked & { readonly collection: Several },
  { mediaAt, buyable }: Pick<CatalogueDeps, 'mediaAt' | 'buyable'>,
): Promise<Found | undefined> {
  const { tenant } = context;
  const { read, readAll } = context.require(serveCatalogue);
  const handles = [...new Set(all(collection))];
  const [one = ''] = handles;
  const single = handles.length === 1;
  const asking = { tenant, brandId, buyable };
  const sought = single ? sellingOf(asking, { limit, ...looked }, one) : selling(asking, { limit, ...looked }, handles);
  const shownOf = statement(
    `select k.rules is null as chosen from catalogue.collection k where k.tenant_id = $1::uuid and k.handle = any ($3::text[]) and ${showing}`,
    [tenant, brandId, handles],
  );
  let shown: readonly Row[] = [];
  const { rows, corrections: made } = await foundOrCorrected(
    query,
    async (words) => {
      const [collections = [], ...answers] = await readAll([shownOf, ...sought.statements(words, limit)]);
      shown = collections;
      return sought.read(answers);
    },
    async (words) => (shown.length < handles.length ? undefined : corrected(read, tenant, words, sold, brandId)),
  );
  if (shown.length < handles.length) return undefined;
  const byHand = single && shown[0]?.['chosen'] === true;
  const listed = pageOfWalk(rows, limit, present(mediaAt), ({ id: last, position }) => (byHand ? position : last));
  return { ...listed, corrections: made, ...counted(looked, rows) };
}

/** A collection `k` that pages of the brand `$2` show. */
const showing = `k.archived_at is null and $2::uuid = any (k.brand_ids)`;

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
