import { count, id, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { parts } from '../parts.ts';
import type { StockPorts } from '../ports.ts';
import { type Mode, policies, type Policy } from '../words.ts';

/** What is counted: of `stock.item` named `i`. */
export const item = shape('i', {
  id: id('i.item_id'),
  sku: nullable(text()),
  name: nullable(text()),
  /** continue: sold on when there is none. */
  policy: oneOf(policies),
  version: count(),
});
export type Item = Of<typeof item>;

/** What one piece of a variant takes of an item. */
export interface Requirement {
  readonly itemId: string;
  readonly quantity: number;
}

/** By variant; one that is not tracked is not in it. */
export async function requirementsOf(
  tx: TenantTransaction,
  variantIds: readonly string[],
): Promise<Map<string, Requirement[]>> {
  const rows = await tx.query<{ variant_id: string; item_id: string; quantity: number }>(sql`
    select r.* from unnest(${variantIds}::uuid[]) v (id)
    cross join lateral (
      select variant_id, item_id, quantity from stock.requirement where tenant_id = ${tx.context.tenant}::uuid and variant_id = v.id offset 0
    ) r
    order by r.variant_id, r.item_id`);
  const found = new Map<string, Requirement[]>();
  for (const { variant_id: variantId, item_id: itemId, quantity } of rows) {
    const own = found.get(variantId) ?? [];
    own.push({ itemId, quantity });
    found.set(variantId, own);
  }
  return found;
}

/** What variants took when the holder reserved them, where they take something else since; by variant. */
export async function heldRequirements(
  tx: TenantTransaction,
  { holder, mode }: { readonly holder: string; readonly mode: Mode },
): Promise<Map<string, Requirement[]>> {
  const rows = await tx.query<{ variant_id: string; item_id: string; quantity: number }>(sql`
    select variant_id, item_id, quantity from stock.held_requirement
    where tenant_id = ${tx.context.tenant}::uuid and holder_id = ${holder}::uuid and mode = ${mode} order by variant_id, item_id`);
  const byVariant = Map.groupBy(rows, ({ variant_id: variantId }) => variantId);
  return new Map(
    [...byVariant].map(([variantId, own]) => [
      variantId,
      own.map(({ item_id: itemId, quantity }) => ({ itemId, quantity })),
    ]),
  );
}

export async function itemsById(tx: TenantTransaction, ids: readonly string[]): Promise<Map<string, Item>> {
  const rows = await tx.query(
    statement(
      `select ${item.columns} from unnest($2::uuid[]) x (id)
       cross join lateral (select * from stock.item where tenant_id = $1::uuid and item_id = x.id offset 0) i`,
      [tx.context.tenant, ids],
    ),
  );
  return new Map(rows.map((row) => item.read(row)).map((one) => [one.id, one]));
}

/** Nobody else in the tenant says what a variant takes until the transaction ends. */
export async function holdRequirements(tx: TenantTransaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`stock.requirements ${tx.context.tenant}`}, 0))`);
}

export interface NewItem {
  readonly id: string;
  readonly sku: string | null;
  readonly name: string | null;
  readonly policy: Policy;
}

export async function insertItems(tx: TenantTransaction, items: readonly NewItem[]): Promise<void> {
  if (items.length === 0) return;
  await tx.query(sql`
    insert into stock.item (tenant_id, item_id, sku, name, policy)
    select ${tx.context.tenant}::uuid, * from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ sku }) => sku)}::text[],
      ${items.map(({ name }) => name)}::text[], ${items.map(({ policy }) => policy)}::text[])`);
  for (const some of parts(items))
    tx.record(event('commerce.stock_item.created', { items: some.map(({ id, policy }) => ({ item_id: id, policy })) }));
}

/**
 * Puts these in the place of what the variants took; the caller has called `holdRequirements`. For whoever has reserved what they took, that
 * is noted: it is what leaves.
 */
export async function storeRequirements(
  tx: TenantTransaction,
  wanted: ReadonlyMap<string, readonly Requirement[]>,
): Promise<void> {
  const rows = [...wanted].flatMap(([variantId, own]) => own.map((one) => ({ variantId, ...one })));
  const { tenant } = tx.context;
  await tx.queryAll([
    sql`insert into stock.held_requirement (tenant_id, holder_id, mode, variant_id, item_id, quantity)
      select distinct h.tenant_id, h.holder_id, h.mode, r.variant_id, r.item_id, r.quantity
      from stock.requirement v join stock.reservation h on h.tenant_id = v.tenant_id and h.item_id = v.item_id
      join stock.requirement r on r.tenant_id = v.tenant_id and r.variant_id = v.variant_id
      where v.tenant_id = ${tenant}::uuid and v.variant_id = any (${[...wanted.keys()]}::uuid[])
        and not exists (
          select from stock.held_requirement k where k.tenant_id = h.tenant_id and k.holder_id = h.holder_id and k.mode = h.mode
            and k.variant_id = v.variant_id)`,
    sql`delete from stock.requirement where tenant_id = ${tenant}::uuid and variant_id = any (${[...wanted.keys()]}::uuid[])`,
    sql`insert into stock.requirement (tenant_id, variant_id, item_id, quantity)
      select ${tenant}::uuid, * from unnest(${rows.map(({ variantId }) => variantId)}::uuid[], ${rows.map(({ itemId }) => itemId)}::uuid[],
        ${rows.map(({ quantity }) => quantity)}::int[])`,
  ]);
  for (const some of parts([...wanted]))
    tx.record(
      event('commerce.stock.required', {
        variants: some.map(([variantId, own]) => ({
          variant_id: variantId,
          items: own.map(({ itemId, quantity }) => ({ item_id: itemId, quantity })),
        })),
      }),
    );
}

/**
 * What each of these variants takes; one that was not tracked takes an item of its own from now on. Those that are no variants of the tenant
 * are not in the answer.
 */
export async function trackedVariants(
  tx: TenantTransaction,
  ids: readonly string[],
  { variantsIn }: Pick<StockPorts, 'variantsIn'>,
): Promise<Map<string, Requirement[]>> {
  const found = await requirementsOf(tx, ids);
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  await holdRequirements(tx);
  const meanwhile = await requirementsOf(tx, missing);
  const known = await variantsIn(
    tx,
    missing.filter((id) => !meanwhile.has(id)),
  );
  const made = new Map([...known].map((id) => [id, [{ itemId: newId(), quantity: 1 }]]));
  const items = [...made.values()].flat().map(({ itemId }) => itemId);
  await insertItems(
    tx,
    items.map((id) => ({ id, sku: null, name: null, policy: 'deny' })),
  );
  if (made.size > 0) await storeRequirements(tx, made);
  return new Map([...found, ...meanwhile, ...made]);
}
