import { count, field, id, moment, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { modes } from '../words.ts';
import { reasons, returnStates } from './words.ts';

const line = z.object({
  lineId: z.uuid(),
  title: z.string(),
  options: z.record(z.string(), z.string()),
  sku: z.string().nullable(),
  quantity: z.int(),
  received: z.int(),
  /** Of those received: not put back into stock. */
  damaged: z.int(),
});

/** What a buyer sends back: of `orders.return` named `r`, beside its order `o`. */
export const goodsReturn = shape('r', {
  id: id('r.return_id'),
  orderId: id(),
  orderNumber: text(`case o.mode when 'test' then 'TEST-' else '' end || o.number`),
  mode: oneOf(modes),
  state: oneOf(returnStates),
  reason: oneOf(reasons),
  /** For members. */
  note: nullable(text()),
  /** Where what can be sold again was put back. */
  locationId: nullable(id()),
  lines: field(
    z.array(line),
    `(select json_agg(json_build_object('lineId', x.line_id, 'title', l.title, 'options', l.options, 'sku', l.sku, 'quantity', x.quantity, 'received', x.received,
        'damaged', x.damaged) order by l.position)
      from orders.return_line x join orders.line l on l.tenant_id = x.tenant_id and l.order_id = x.order_id and l.line_id = x.line_id
      where x.tenant_id = r.tenant_id and x.return_id = r.return_id)`,
  ),
  /** Counts changes. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type GoodsReturn = Of<typeof goodsReturn>;

export const byReturn = { returnId: z.uuid().meta({ description: 'From service_list_returns.' }) };

/** Returns of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectReturns = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select ${goodsReturn.columns} from orders.return r
     join orders.sales_order o on o.tenant_id = r.tenant_id and o.order_id = r.order_id
     where r.tenant_id = $1::uuid and ${rest}`,
    [tenant, ...values],
  );

export async function returnIn(tx: TenantTransaction, returnId: string): Promise<GoodsReturn> {
  const [row] = await tx.query(selectReturns('r.return_id = $2::uuid', tx.context.tenant, returnId));
  if (row === undefined) throw noReturn();
  return goodsReturn.read(row);
}

/** The return, held until the end of the transaction, and its order before it, as everything that changes one does. @throws Problem `not_found` (404) */
export async function holdReturn(tx: TenantTransaction, returnId: string): Promise<GoodsReturn> {
  const { tenant } = tx.context;
  await tx.query(
    statement(
      `select from orders.sales_order o where o.tenant_id = $1::uuid and o.order_id = (
         select r.order_id from orders.return r where r.tenant_id = $1::uuid and r.return_id = $2::uuid) for no key update`,
      [tenant, returnId],
    ),
  );
  return returnIn(tx, returnId);
}

/** As each event of it tells it. */
export const told = ({ id: return_id, orderId, mode, state, reason, locationId, lines, version }: GoodsReturn) => ({
  return_id,
  order_id: orderId,
  mode,
  state,
  reason,
  location_id: locationId,
  lines: lines.map(({ lineId, quantity, received, damaged }) => ({ line_id: lineId, quantity, received, damaged })),
  version,
});

export const noReturn = (): Error =>
  fail('not_found', 'There is no such return in this tenant: list the returns for their ids.');
