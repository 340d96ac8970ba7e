import type { FieldError } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { isDeepStrictEqual } from 'node:util';
import { ordersFail } from '../errors.ts';
import { invalidLines } from '../faults.ts';
import { leftToSend } from '../fulfilments/left.ts';
import { invalidAt } from '../money.ts';
import { postalAddress } from '../orders/address.ts';
import type { Order } from '../orders/order.ts';
import type { PostalAddress } from '../orders/placing.ts';
import type { EditGiven } from './given.ts';
import type { Bought } from './plan.ts';
import { snapshotOf, type Version, versionFrom } from './version.ts';
import { mostEdits } from './words.ts';

/** @throws Problem `order_changed`, `order_cancelled`, `order_erased`, `order_fulfilled` (409) */
export function requireEditable(held: Order, { version, shippingAddress }: EditGiven): void {
  if (held.version !== version)
    throw ordersFail(
      'order_changed',
      `The order has version ${held.version} now, and you read version ${version}: read it again and decide anew.`,
    );
  if (held.status === 'cancelled')
    throw ordersFail('order_cancelled', 'The order is cancelled: it is not edited any more.');
  if (held.erasedAt !== null)
    throw ordersFail('order_erased', 'The buyer of the order was erased: nobody can agree to an edit of it.');
  if (held.unitsFulfilled >= held.units)
    throw ordersFail('order_fulfilled', 'All of the order has left: record what comes back as a return.');
  if (shippingAddress !== undefined && held.unitsFulfilled > 0)
    throw ordersFail('order_fulfilled', 'Something of the order has left: its address does not change any more.', {
      errors: [
        { pointer: '/shippingAddress', code: 'order_fulfilled', detail: 'Something of the order has left already.' },
      ],
    });
}

interface Present {
  readonly before: Version;
  readonly bought: ReadonlyMap<string, Bought>;
  /** Units of a line that were paid back; of lines without any, nothing. */
  readonly refunded: { readonly units: ReadonlyMap<string, number>; readonly shipping: boolean };
}

/** @throws Problem `order_too_often_edited` (409) */
export async function presentVersion(tx: TenantTransaction, orderId: string): Promise<Present> {
  const { tenant } = tx.context;
  const [[now] = [], firsts = [], units = [], [edits] = []] = await tx.queryAll([
    statement(
      `select ${snapshotOf} as snapshot, o.shipping_refunded > 0 as shipping from orders.sales_order o
       where o.tenant_id = $1::uuid and o.order_id = $2::uuid`,
      [tenant, orderId],
    ),
    // Each line as it came into the order: an edit before may have lowered it.
    statement(
      `select distinct on (l ->> 'id') jsonb_build_object('lines', jsonb_build_array(l)) as snapshot
       from orders.version v cross join lateral jsonb_array_elements(v.snapshot -> 'lines') l
       where v.tenant_id = $1::uuid and v.order_id = $2::uuid order by l ->> 'id', v.version`,
      [tenant, orderId],
    ),
    statement(
      `select line_id, refunded from orders.line where tenant_id = $1::uuid and order_id = $2::uuid and refunded > 0`,
      [tenant, orderId],
    ),
    statement('select count(*)::int as made from orders.edit where tenant_id = $1::uuid and order_id = $2::uuid', [
      tenant,
      orderId,
    ]),
  ]);
  if (Number(edits?.['made'] ?? 0) >= mostEdits)
    throw ordersFail(
      'order_too_often_edited',
      `An order is edited at most ${mostEdits} times: cancel it and place another.`,
    );
  const before = versionFrom(now?.['snapshot']);
  return {
    before,
    bought: new Map(
      [...before.lines, ...firsts.flatMap((row) => versionFrom(row['snapshot']).lines)].map((line) => [line.id, line]),
    ),
    refunded: {
      units: new Map(units.map((row) => [String(row['line_id']), Number(row['refunded'])])),
      shipping: now?.['shipping'] === true,
    },
  };
}

/**
 * How many of each lowered line stay.
 * @throws Problem `invalid_request` (400), `more_than_open`, `line_refunded` (409) with pointers
 */
export async function quantitiesOf(
  tx: TenantTransaction,
  held: Order,
  { lines = [], shippingAddress }: EditGiven,
  refunded: Present['refunded'],
): Promise<ReadonlyMap<string, number>> {
  const left = await leftToSend(tx, held);
  const byId = new Map(held.lines.map((line) => [line.id, line]));
  const wrong: FieldError[] = [];
  const refused: { readonly code: 'more_than_open' | 'line_refunded'; readonly fault: FieldError }[] = [];
  const quantities = new Map<string, number>();
  for (const [index, { lineId, quantity }] of lines.entries()) {
    const line = byId.get(lineId.toLowerCase());
    const pointer = `/lines/${index}`;
    if (line === undefined) {
      const detail = 'The order has no such line, or it is given twice: give each line of the order once.';
      wrong.push({ pointer: `${pointer}/lineId`, code: 'unknown_line', detail });
      continue;
    }
    byId.delete(line.id);
    if (quantity >= line.quantity) {
      const detail = `The line has ${line.quantity}: give fewer, and add what is wanted beyond it with \`add\`, at the present price.`;
      wrong.push({ pointer: `${pointer}/quantity`, code: 'not_fewer', detail });
      continue;
    }
    const open = left.get(line.id) ?? 0;
    if ((refunded.units.get(line.id) ?? 0) > 0) {
      const detail = 'Units of the line were paid back: pay back the others too, and they are not sent.';
      refused.push({ code: 'line_refunded', fault: { pointer: `${pointer}/quantity`, code: 'line_refunded', detail } });
    } else if (line.quantity - quantity > open) {
      const detail = `${open} of the line are left to send: give at least ${line.quantity - open}.`;
      refused.push({
        code: 'more_than_open',
        fault: { pointer: `${pointer}/quantity`, code: 'more_than_open', detail },
      });
    }
    quantities.set(line.id, quantity);
  }
  if (wrong.length > 0) throw invalidLines(wrong);
  const [first] = refused;
  if (first !== undefined)
    throw ordersFail(first.code, `${first.fault.pointer}: ${first.fault.detail}`, {
      errors: refused.slice(0, 20).map(({ fault }) => fault),
    });
  if (shippingAddress !== undefined && (refunded.units.size > 0 || refunded.shipping))
    throw ordersFail(
      'line_refunded',
      'Something of the order was paid back with its tax: its address does not change any more.',
    );
  return quantities;
}

/** Undefined: it stays. @throws Problem `invalid_request` (400) where nothing is shipped */
export function addressOf({ shippingAddress: now }: Order, { shippingAddress }: EditGiven): PostalAddress | undefined {
  if (shippingAddress === undefined) return undefined;
  if (now === null)
    throw invalidAt('/shippingAddress', 'not_shipped', 'Nothing of the order is shipped: it has no such address.');
  const given = postalAddress(shippingAddress);
  return isDeepStrictEqual({ ...now }, { ...given }) ? undefined : given;
}
