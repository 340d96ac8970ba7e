import { operation } from '@steward/access';
import { amount, count, id, moneyShape, pageOf, shape } from '@steward/contract';
import { money } from '@steward/kernel';
import { beforeAllIds, page, sql, statement } from '@steward/sql';
import { z } from 'zod';
import { namesOfItem, variantsOfItem, withVariants } from '../items/named.ts';
import { paging, reads } from '../operations.ts';
import type { StockPorts } from '../ports.ts';
import { share } from './pool.ts';

const most = 200;

/** What is on hand of an item over all locations: of `stock.item` named `i`, its valuation `v` and its levels `l`. */
const stored = shape('i', {
  itemId: id(),
  ...namesOfItem,
  onHand: count('l.on_hand'),
  /** Pieces whose cost is known. */
  costed: count('coalesce(v.costed, 0)'),
  /** What those cost. */
  value: amount('coalesce(v.value, 0)'),
});
const itemValue = stored.answer.extend({
  ...variantsOfItem,
  /** Of one of them, on average, rounded; null where none is known. */
  unitCost: moneyShape.nullable(),
});

/** What stock is worth at cost, item by item, and in all. */
export const listStockValues = operation(
  {
    ...reads,
    name: 'service_list_stock_values',
    input: z.strictObject({
      itemIds: z
        .array(z.uuid())
        .min(1)
        .max(most)
        .optional()
        .meta({ description: `Up to ${most} stock items, from service_get_stock. Default: all.` }),
      ...paging,
    }),
    answer: pageOf(itemValue).extend({ total: moneyShape.meta({ description: 'Of all items of the tenant.' }) }),
    errors: ['insufficient_role'],
  },
  async ({ context, read, readAll }, { itemIds, limit, cursor = beforeAllIds }, ports: StockPorts) => {
    const { tenant } = context;
    const currency = await ports.baseCurrency({ context, query: read });
    const from =
      itemIds === undefined
        ? 'stock.item i'
        : `(select distinct x.id from unnest($5::uuid[]) x (id)) x
           cross join lateral (select * from stock.item where tenant_id = $1::uuid and item_id = x.id offset 0) i`;
    const [rows = [], [sum] = []] = await readAll([
      statement(
        `select ${stored.columns}, $4 as currency from ${from}
         left join stock.valuation v on v.tenant_id = i.tenant_id and v.item_id = i.item_id
         cross join lateral (
           select coalesce(sum(on_hand), 0)::bigint as on_hand from stock.level
           where tenant_id = i.tenant_id and mode = 'live' and item_id = i.item_id
         ) l
         where i.tenant_id = $1::uuid and i.item_id > $2::uuid order by i.item_id limit $3::int`,
        [tenant, cursor, limit + 1, currency, ...(itemIds === undefined ? [] : [itemIds])],
      ),
      sql`select coalesce(sum(value), 0)::numeric as value from stock.valuation where tenant_id = ${tenant}::uuid`,
    ]);
    const found = page(rows, limit, stored.read, ({ itemId }) => itemId);
    const costOfOne = new Map(
      rows.map((row) => {
        const [pieces, value] = [Number(row['costed']), BigInt(row['value'] as bigint)];
        return [String(row['item_id']), pieces === 0 ? null : money(share(value, pieces, 1), currency)];
      }),
    );
    const items = await withVariants({ context, query: read }, ports, found.items);
    return {
      ...found,
      items: items.map((one) => ({ ...one, unitCost: costOfOne.get(one.itemId) ?? null })),
      total: money(BigInt(String(sum?.['value'] ?? 0)), currency),
    };
  },
);
