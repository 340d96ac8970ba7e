import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { afterAllIds, page, sql, statement } from '@steward/sql';
import { z } from 'zod';
import { variantsOfItem, withVariants } from '../items/named.ts';
import { paging, reads } from '../operations.ts';
import type { StockPorts } from '../ports.ts';
import { mode } from '../words.ts';
import { movement } from './movement.ts';

/** A page of what changed levels, newest first. @throws Problem `not_found` (404) for an item that is not there */
export const listStockMovements = operation(
  {
    ...reads,
    name: 'service_list_stock_movements',
    input: z.strictObject({
      itemId: z.uuid().optional().meta({ description: 'Only of this stock item, from service_get_stock.' }),
      mode,
      ...paging,
    }),
    answer: pageOf(movement.answer.extend(variantsOfItem)),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { itemId, mode: of, limit, cursor = afterAllIds }, ports: StockPorts) => {
    const currency = await ports.baseCurrency({ context, query: read });
    const rows = await read(
      statement(
        `select ${movement.columns}, $5 as currency from stock.movement m join stock.item i on i.tenant_id = m.tenant_id and i.item_id = m.item_id
         where m.tenant_id = $1::uuid and m.mode = $2 and m.movement_id < $3::uuid ${itemId === undefined ? '' : 'and m.item_id = $6::uuid'}
         order by m.movement_id desc limit $4::int`,
        [context.tenant, of, cursor, limit + 1, currency, ...(itemId === undefined ? [] : [itemId])],
      ),
    );
    if (rows.length === 0 && itemId !== undefined) {
      const [known] = await read(
        sql`select from stock.item where tenant_id = ${context.tenant}::uuid and item_id = ${itemId}::uuid`,
      );
      if (known === undefined) throw fail('not_found', 'There is no such stock item: service_get_stock lists them.');
    }
    const found = page(rows, limit, movement.read, ({ id }) => id);
    return { ...found, items: await withVariants({ context, query: read }, ports, found.items) };
  },
);
