import { count, id, line, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail, refused } from '../errors.ts';
import { requireBrands } from '../products/publish.ts';

/** That have not ended. Each may be asked of each variant that is sold. */
const mostLists = 20;

export const priceList = shape('l', {
  id: id('l.price_list_id'),
  name: text(),
  /** ISO 4217. */
  currency: text(),
  /** null: all brands. */
  brandId: nullable(id()),
  status: oneOf(
    ['scheduled', 'active', 'ended'],
    `case when l.starts_at > statement_timestamp() then 'scheduled' when l.ends_at <= statement_timestamp() then 'ended' else 'active' end`,
  ),
  startsAt: moment(),
  /** null: it has no end. */
  endsAt: nullable(moment()),
  /** That have a price in it. */
  variantCount: count(
    `(select count(*) from catalogue.price_list_price w where w.tenant_id = l.tenant_id and w.price_list_id = l.price_list_id
      and w.min_quantity = 1)`,
  ),
  /** Counts changes of the list and of its prices. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type PriceList = Of<typeof priceList>;

export const byPriceList = { priceListId: z.uuid().meta({ description: 'From service_list_price_lists.' }) };

const [earliest, latest] = [Date.UTC(1900, 0), Date.UTC(2200, 0)];
const instant = z.iso
  .datetime({ offset: true })
  .refine(
    (said) => Date.parse(said) >= earliest && Date.parse(said) < latest,
    'Give a moment of the years 1900 to 2199',
  );

export const given = {
  name: line(100).meta({ description: 'Name that members read, such as `Black Friday`.' }),
  brandId: z
    .uuid()
    .nullable()
    .optional()
    .meta({ description: 'The brand that it is for, from service_list_brands. null: all.' }),
  startsAt: instant.optional().meta({ description: 'RFC 3339: from then on its prices hold. Default: now.' }),
  endsAt: instant
    .nullable()
    .optional()
    .meta({ description: 'RFC 3339, after starts_at: from then on they hold no more. null: no end.' }),
};

export const selectPriceLists = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${priceList.columns} from catalogue.price_list l where l.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** @throws Problem `not_found` (404) */
export async function readPriceList(tx: TenantTransaction, priceListId: string): Promise<PriceList> {
  const [row] = await tx.query(selectPriceLists('l.price_list_id = $2::uuid', tx.context.tenant, priceListId));
  if (row === undefined) throw noPriceList();
  return priceList.read(row);
}

export const noPriceList = (): Error =>
  fail('not_found', 'There is no such price list in this tenant: list the price lists for their ids.');

/** Changes of a tenant's price lists wait for each other. */
export async function holdPriceLists(tx: TenantTransaction): Promise<void> {
  await tx.query(
    statement('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`catalogue.price_list ${tx.context.tenant}`]),
  );
}

/** @throws Problem `price_list_changed` (409) */
export function requireVersion(expected: number | undefined, { version }: PriceList): void {
  if (expected === undefined || expected === version) return;
  const detail = `The price list has version ${version} by now: read it again.`;
  throw catalogueFail('price_list_changed', detail, {
    errors: [{ pointer: '/expectedVersion', code: 'price_list_changed', detail }],
  });
}

/** @throws Problem `invalid_request` (400) with pointers */
export async function requireTerms(
  tx: TenantTransaction,
  {
    brandId,
    startsAt,
    endsAt,
  }: { readonly brandId?: string | null | undefined } & Pick<PriceList, 'startsAt' | 'endsAt'>,
  { brandIn }: CatalogueDeps,
): Promise<void> {
  if (endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt)) {
    const detail = 'It is not after startsAt: give a later moment.';
    throw refused([{ pointer: '/endsAt', code: 'ends_before_start', detail }]);
  }
  if (brandId !== undefined && brandId !== null)
    await requireBrands(tx, [{ id: brandId, pointer: '/brandId' }], brandIn);
}

/** After a list was written, while `holdPriceLists` holds. @throws Problem `price_list_limit` (409) */
export async function requireRoom(tx: TenantTransaction): Promise<void> {
  const [row] = await tx.query<{ made: number }>(
    statement(
      `select count(*)::int as made from catalogue.price_list
       where tenant_id = $1::uuid and (ends_at is null or ends_at > statement_timestamp())`,
      [tx.context.tenant],
    ),
  );
  if ((row?.made ?? 0) > mostLists)
    throw catalogueFail(
      'price_list_limit',
      `The tenant may have ${mostLists} price lists that have not ended: end some of them first.`,
    );
}

/** What a price list says, with its prices, as the digest in its events. Seconds: how an instant is written depends on the session. */
export const priceListContents = `select l.tenant_id, l.price_list_id as key, ${digestOf(`'price_list/v1', l.name, l.currency, l.brand_id,
    extract(epoch from l.starts_at), extract(epoch from l.ends_at), (
      select jsonb_agg(jsonb_build_array(w.variant_id, w.min_quantity, w.amount) order by w.variant_id, w.min_quantity)
      from catalogue.price_list_price w where w.tenant_id = l.tenant_id and w.price_list_id = l.price_list_id)`)} as digest
  from catalogue.price_list l`;

/** The digest of a price list, in the transaction that wrote it: for its event. */
export async function priceListDigest(tx: TenantTransaction, priceListId: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${priceListContents}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      priceListId,
    ]),
  );
  if (row === undefined) throw new Error('the price list was written');
  return row.digest;
}
