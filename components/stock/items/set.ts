import { asItWas, operation } from '@steward/access';
import { type Fixed, line } from '@steward/contract';
import { type FieldError, newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { stockFail } from '../errors.ts';
import { event } from '../events.ts';
import { invalidLines } from '../faults.ts';
import { actorOf, announceChanged } from '../levels/book.ts';
import { locationsInUse } from '../locations/location.ts';
import { changes } from '../operations.ts';
import type { StockPorts } from '../ports.ts';
import { policies } from '../words.ts';
import {
  holdRequirements,
  insertItems,
  item,
  type Item,
  itemsById,
  type Requirement,
  requirementsOf,
  storeRequirements,
} from './item.ts';

const mostVariants = 100;
const mostItems = 20;

const given = z.strictObject({
  itemId: z.uuid().optional().meta({
    description:
      'Item that is there, also one of another variant. Default, for a single item: the one that the variant takes, else a new one.',
  }),
  quantity: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .meta({ description: 'Of the item, for one piece of the variant.' }),
  sku: line(100).nullable().optional().meta({ description: 'SKU of the item, where it is not that of one variant.' }),
  name: line(200)
    .nullable()
    .optional()
    .meta({ description: 'Name that people use for the item, such as `Bottle 0.7 l`.' }),
  policy: z
    .enum(policies)
    .optional()
    .meta({ description: 'continue: it is sold on when there is none. A new item has deny.' }),
});

const input = z.strictObject({
  variants: z
    .array(
      z.strictObject({
        variantId: z.uuid().meta({ description: 'Variant, from the catalogue.' }),
        items: z
          .array(given)
          .max(mostItems)
          .meta({ description: 'All that one piece takes. Empty: it is always available.' }),
      }),
    )
    .min(1)
    .max(mostVariants)
    .meta({ description: `Up to ${mostVariants}: all are set, or none.` }),
});
type Given = Fixed<z.output<typeof given>>;

const answer = z.object({
  variants: z.array(
    z.object({
      variantId: z.uuid(),
      items: z.array(item.answer.extend({ quantity: z.int() })),
    }),
  ),
});

/**
 * Says what variants take of which items, and how the items are sold. Members of an item that are not given stay as they are.
 * @throws Problem `invalid_request` (400) with pointers, `stock_owed` (409)
 */
export const setStockItems = operation(
  {
    ...changes,
    name: 'service_set_stock_items',
    input,
    answer,
    errors: ['insufficient_role', 'stock_owed', 'location_limit'],
  },
  async (scope, { variants }, { variantsIn }: StockPorts) =>
    scope.write(async (tx) => {
      await holdRequirements(tx);
      const ids = variants.map(({ variantId }) => variantId);
      const before = await requirementsOf(tx, ids);
      const known = await variantsIn(tx, ids);
      const named = variants.flatMap(({ items }) => items.flatMap(({ itemId }) => itemId ?? []));
      const own = [...before.values()].flat().map(({ itemId }) => itemId);
      const items = await itemsById(tx, [...new Set([...named, ...own])]);
      const plan = planned(variants, { before, known, items });
      const moved = await changeItems(tx, plan.changes, items);
      const fresh = plan.made.size > 0;
      if (fresh) await make(tx, [...plan.made.values()]);
      const set = new Map([...plan.wanted].filter(([id, takes]) => !same(takes, before.get(id) ?? [])));
      if (set.size > 0) await storeRequirements(tx, set);
      const after = await itemsById(tx, [...new Set([...plan.wanted.values()].flat().map(({ itemId }) => itemId))]);
      const result = {
        variants: [...plan.wanted].map(([variantId, takes]) => ({
          variantId,
          items: takes.flatMap(({ itemId, quantity }) => {
            const one = after.get(itemId);
            return one === undefined ? [] : [{ ...one, quantity }];
          }),
        })),
      };
      if (!moved && !fresh && set.size === 0) return asItWas(result);
      announceChanged(tx, 'live', [...after.keys()]);
      return result;
    }),
);

interface Known {
  readonly before: ReadonlyMap<string, readonly Requirement[]>;
  readonly known: ReadonlySet<string>;
  readonly items: ReadonlyMap<string, Item>;
}

interface Plan {
  readonly wanted: Map<string, Requirement[]>;
  readonly made: Map<string, Item>;
  /** Of items that are there. */
  readonly changes: Map<string, Given>;
}

function planned(variants: Fixed<z.output<typeof input>>['variants'], { before, known, items }: Known): Plan {
  const plan: Plan = { wanted: new Map(), made: new Map(), changes: new Map() };
  const faults: FieldError[] = [];
  for (const [at, { variantId, items: list }] of variants.entries()) {
    const fault = (rest: string, code: string, detail: string): void => {
      faults.push({ pointer: `/variants/${at}/${rest}`, code, detail });
    };
    if (!known.has(variantId)) fault('variantId', 'unknown_variant', 'There is no such variant in this tenant.');
    if (plan.wanted.has(variantId)) fault('variantId', 'repeated', 'The variant is named twice.');
    const takes: Requirement[] = [];
    const [alone, ...others] = before.get(variantId) ?? [];
    for (const [index, one] of list.entries()) {
      const { quantity } = one;
      const mine = list.length === 1 && others.length === 0 ? alone?.itemId : undefined;
      const itemId = one.itemId ?? mine;
      if (itemId === undefined) {
        const { sku = null, name = null, policy = 'deny' } = one;
        const made: Item = { id: newId(), sku, name, policy, version: 1 };
        plan.made.set(made.id, made);
        takes.push({ itemId: made.id, quantity });
        continue;
      }
      if (!items.has(itemId))
        fault(`items/${index}/itemId`, 'unknown_item', 'There is no such stock item in this tenant.');
      if (takes.some((other) => other.itemId === itemId))
        fault(`items/${index}/itemId`, 'repeated', 'The item is named twice: add the quantities.');
      takes.push({ itemId, quantity });
      plan.changes.set(itemId, { ...plan.changes.get(itemId), ...one });
    }
    plan.wanted.set(variantId, takes);
  }
  if (faults.length > 0) throw invalidLines(faults);
  return plan;
}

const inOrder = (all: readonly Requirement[]): string =>
  all
    .map(({ itemId, quantity }) => `${itemId} ${quantity}`)
    .toSorted()
    .join();
const same = (some: readonly Requirement[], others: readonly Requirement[]): boolean =>
  inOrder(some) === inOrder(others);

/** A new item has a level, so that it can be promised where there is none. */
async function make(tx: TenantTransaction, items: readonly Item[]): Promise<void> {
  const [first] = await locationsInUse(tx);
  await insertItems(tx, items);
  await tx.query(sql`
    insert into stock.level (tenant_id, mode, item_id, location_id, overdraw)
    select i.tenant_id, 'live', i.item_id, ${first?.id ?? null}::uuid, i.policy = 'continue' from stock.item i
    where i.tenant_id = ${tx.context.tenant}::uuid and i.item_id = any (${items.map(({ id }) => id)}::uuid[])`);
}

const members = ['sku', 'name', 'policy'] as const;

/** Answers whether anything was changed. @throws Problem `stock_owed` (409) */
async function changeItems(
  tx: TenantTransaction,
  asked: ReadonlyMap<string, Given>,
  items: ReadonlyMap<string, Item>,
): Promise<boolean> {
  const changed = [...asked].flatMap(([id, change]) => {
    const before = items.get(id);
    const fields = members.filter((member) => change[member] !== undefined && change[member] !== before?.[member]);
    return before === undefined || fields.length === 0 ? [] : [{ id, fields, before, change }];
  });
  if (changed.length === 0) return false;
  const { tenant } = tx.context;
  const sold = changed.filter(({ fields }) => fields.includes('policy'));
  await tx.query(sql`select stock.hold_items('live', ${changed.map(({ id }) => id)}::uuid[], ${actorOf(tx)})`);
  const denied = sold.filter(({ change }) => change.policy === 'deny').map(({ id }) => id);
  const owed = await tx.query<{ item_id: string }>(sql`
    select item_id from stock.level
    where tenant_id = ${tenant}::uuid and item_id = any (${denied}::uuid[]) and reserved > on_hand limit 1`);
  if (owed[0] !== undefined)
    throw stockFail(
      'stock_owed',
      `More of item ${owed[0].item_id} was promised or shipped than there is, tests included: receive or count it, or release what is reserved, before it is denied.`,
    );
  for (const { id, fields, before, change } of changed) {
    const [row] = await tx.query(
      statement(
        `update stock.item i set sku = $3, name = $4, policy = $5, version = version + 1, updated_at = clock_timestamp()
         where i.tenant_id = $1::uuid and i.item_id = $2::uuid returning ${item.columns}`,
        [
          tenant,
          id,
          change.sku === undefined ? before.sku : change.sku,
          change.name === undefined ? before.name : change.name,
          change.policy ?? before.policy,
        ],
      ),
    );
    const { policy, version } = item.read(row ?? {});
    tx.record(event('commerce.stock_item.updated', { item_id: id, fields, policy, version }));
  }
  await tx.query(sql`
    update stock.level l set overdraw = i.policy = 'continue' from stock.item i
    where l.tenant_id = ${tenant}::uuid and l.item_id = any (${sold.map(({ id }) => id)}::uuid[])
      and i.tenant_id = l.tenant_id and i.item_id = l.item_id`);
  return true;
}
