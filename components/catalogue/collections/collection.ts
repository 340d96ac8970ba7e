import { count, field, flag, id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { matches, ruleShape, toldRules } from './rules.ts';

/** Of one collection by hand. */
export const mostChosen = 1_000;

const summary = {
  id: id('k.collection_id'),
  handle: text(),
  title: text(),
  /** manual: its products are chosen by hand. automatic: those that its rules ask for. */
  kind: oneOf(['manual', 'automatic'], `case when k.rules is null then 'manual' else 'automatic' end`),
  /** Brands whose pages show it. */
  brandIds: field(z.array(z.uuid()), 'k.brand_ids::text[]'),
  /** Of any status, published or not. */
  productCount: count(
    `(select count(*) from catalogue.collection_product m where m.tenant_id = k.tenant_id and m.collection_id = k.collection_id)`,
  ),
  archived: flag('k.archived_at is not null'),
  /** Counts changes of what is given of it. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
};

/** What lists say of a collection: of `catalogue.collection` named `k`. */
export const collection = shape('k', summary);
export type Collection = Of<typeof collection>;

export const wholeCollection = shape('k', {
  ...summary,
  /** Markdown. */
  description: text(),
  /** Whether products meet all rules or any; null of one by hand. */
  match: nullable(oneOf(matches)),
  rules: field(z.array(ruleShape), 'k.rules', (stored) => toldRules(stored as Parameters<typeof toldRules>[0])),
  /** Of one by hand, in their order. Products of the others are listed by `collectionId`. */
  productIds: field(
    z.array(z.uuid()),
    `case when k.rules is null then array(select m.product_id::text from catalogue.collection_product m
       where m.tenant_id = k.tenant_id and m.collection_id = k.collection_id order by m.position) else '{}' end`,
  ),
});
export type WholeCollection = Of<typeof wholeCollection>;

export const byCollection = { collectionId: z.uuid().meta({ description: 'From service_list_collections.' }) };

/** Collections of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectCollections = (
  columns: string,
  rest: string,
  tenant: string,
  ...values: readonly unknown[]
): Statement =>
  statement(`select ${columns} from catalogue.collection k where k.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** @throws Problem `not_found` (404) */
export async function readCollection(tx: TenantTransaction, collectionId: string): Promise<WholeCollection> {
  const [row] = await tx.query(
    selectCollections(wholeCollection.columns, 'k.collection_id = $2::uuid', tx.context.tenant, collectionId),
  );
  if (row === undefined) throw noCollection();
  return wholeCollection.read(row);
}

export const noCollection = (): Error =>
  fail('not_found', 'There is no such collection in this tenant: list the collections for their ids.');
