import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { heldCollections } from './hold.ts';
import { isAsked } from './rules.ts';

/** Of collections by rules, and of products, those that `$2` names as `which` says. */
const renewed = (which: string): string => `
  with due as materialized (
    select k.collection_id, p.product_id from catalogue.collection k join catalogue.product p on p.tenant_id = k.tenant_id
    where k.tenant_id = $1::uuid and k.rules is not null and k.archived_at is null and ${which} and ${isAsked}),
  gone as (
    delete from catalogue.collection_product m using catalogue.collection k, catalogue.product p
    where m.tenant_id = $1::uuid and k.tenant_id = $1::uuid and k.collection_id = m.collection_id and k.rules is not null
      and p.tenant_id = $1::uuid and p.product_id = m.product_id and ${which}
      and not exists (select from due d where d.collection_id = m.collection_id and d.product_id = m.product_id))
  insert into catalogue.collection_product (tenant_id, collection_id, product_id, position)
  select $1::uuid, d.collection_id, d.product_id, 0 from due d order by d.collection_id, d.product_id on conflict do nothing`;

const ofProducts = renewed('p.product_id = any ($2::uuid[])');
const ofCollection = renewed('k.collection_id = $2::uuid');

/** Members of a product that rules ask for. */
const telling = new Set(['title', 'vendor', 'type', 'tags', 'taxCategory', 'variants', 'prices']);

/** Has products be in the collections by rules that ask for them now. @param fields by product: what changed of it */
export async function renewMembership(
  tx: TenantTransaction,
  fields: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const ids = [...fields].flatMap(([id, names]) => (names.some((name) => telling.has(name)) ? [id] : []));
  if (ids.length === 0) return;
  const { tenant } = tx.context;
  await tx.queryAll([heldCollections(tenant, 'shared'), statement(ofProducts, [tenant, ids])]);
}

/** Before a collection is written: other collections of the tenant, and its products, wait until the transaction ends. */
export const holdCollections = async (tx: TenantTransaction): Promise<void> => {
  await tx.query(heldCollections(tx.context.tenant, 'alone'));
};

/** Puts the products into a collection that its rules ask for, or those that were chosen, in their order. */
export async function fillCollection(
  tx: TenantTransaction,
  collectionId: string,
  chosen: readonly string[] | undefined,
): Promise<void> {
  const { tenant } = tx.context;
  await tx.queryAll(
    chosen === undefined
      ? [statement(ofCollection, [tenant, collectionId])]
      : [
          emptied(tenant, collectionId),
          statement(
            `insert into catalogue.collection_product (tenant_id, collection_id, product_id, position)
             select $1::uuid, $2::uuid, c.id, c.place - 1 from unnest($3::uuid[]) with ordinality c (id, place)`,
            [tenant, collectionId, chosen],
          ),
        ],
  );
}

export const emptied = (tenant: string, collectionId: string): Statement =>
  statement(`delete from catalogue.collection_product where tenant_id = $1::uuid and collection_id = $2::uuid`, [
    tenant,
    collectionId,
  ]);
