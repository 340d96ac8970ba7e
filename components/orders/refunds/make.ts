import { asItWas, operation } from '@steward/access';
import { type Fixed, remark } from '@steward/contract';
import { type FieldError, formatAmount, newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { release } from '@steward/stock';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { invalidLines } from '../faults.ts';
import { invalidAt, minorOf, moneyGiven } from '../money.ts';
import { decides } from '../operations.ts';
import { marketplaceKind } from '../payments/handlers/marketplace.ts';
import { countUnsent, isAllSent, leftToSend } from '../fulfilments/left.ts';
import { byOrder, noOrder } from '../orders/order.ts';
import { lowerAwaited } from '../payments/balance.ts';
import { noteFigures } from '../payments/figures.ts';
import { operate, operated } from '../payments/operation.ts';
import { holdPaymentsOf, type Payment, promisedOf } from '../payments/payment.ts';
import { askProvider, isOutside } from '../payments/requests/ask.ts';
import { moveReturn } from '../returns/decide.ts';
import { note, reason } from '../returns/request.ts';
import { holdReturn, told as toldReturn } from '../returns/return.ts';
import { mostReturned } from '../returns/words.ts';
import { type Mode, mostQuantity } from '../words.ts';
import { type Refund, refund, selectRefunds } from './refund.ts';
import { amountShare, refundShare } from './share.ts';

interface AskedLine {
  readonly lineId: string;
  readonly quantity: number;
}

interface Part {
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
}

interface LineRow {
  readonly line_id: string;
  readonly quantity: number;
  readonly refunded: number;
  readonly net: bigint;
  readonly tax: bigint;
}

interface OrderRow {
  readonly mode: Mode;
  readonly currency: string;
  readonly shipping: { readonly net: string; readonly tax: string; readonly total: string } | null;
  readonly shipping_refunded: bigint;
  /** What the order costs less than was captured and not given back as such. */
  readonly left_over: bigint;
  /** What is still to be paid of it. */
  readonly due: bigint;
}

const nothing: Part = { net: 0n, tax: 0n, total: 0n };

const input = z.strictObject({
  ...byOrder,
  lines: z
    .array(
      z.strictObject({
        lineId: z.uuid().meta({ description: 'Of the order.' }),
        quantity: z.int().min(1).max(mostQuantity).meta({ description: 'Units to pay back.' }),
      }),
    )
    .min(1)
    .max(mostReturned)
    .optional()
    .meta({ description: 'Each unit gives back what it was charged, with its tax and after its discounts.' }),
  shipping: moneyGiven.optional().meta({ description: 'Of what shipping was charged, tax included.' }),
  adjustment: moneyGiven.optional().meta({
    description:
      'An amount beside lines and shipping, such as goodwill, or what arrived for an order that is cancelled.',
  }),
  balance: moneyGiven.optional().meta({
    description: 'Of what an edit left over: at most `to_give_back` of the order.',
  }),
  returnId: z
    .uuid()
    .optional()
    .meta({ description: 'A received return: its lines are paid back, in place of `lines`, and it is settled.' }),
  reason,
  note,
  reference: remark(100).optional().meta({ description: 'Your own name for it: the same again refunds nothing more.' }),
});
type Asked = Fixed<z.output<typeof input>>;

/**
 * Takes back what was charged for an order: units of its lines with their tax and discounts, an amount of its shipping, an amount beside them; also before
 * anything was sent. What is still to be paid and promised by no provider is lowered by it first, and the rest is given back as money: never more than was captured, units and
 * shipping never twice, also by many at once. The same `reference` again answers the refund that is there.
 * @throws Problem `not_found` (404), `invalid_request` (400), `refund_exceeds_line`, `refund_exceeds_balance`, `refund_exceeds_captured`,
 * `return_state` (409)
 */
export const refundOrder = operation(
  {
    ...decides,
    name: 'service_refund_order',
    input,
    answer: refund.answer,
    errors: ['not_found', 'refund_exceeds_line', 'refund_exceeds_balance', 'refund_exceeds_captured', 'return_state'],
  },
  async (scope, asked) => scope.write(async (tx) => makeRefund(tx, asked)),
);

/** The kind of source of what a member takes back. */
export const givenBack = 'refund';

/** The kind of source of what a marketplace has given back: nobody here decided it, so it counts against no limit of theirs. */
export const givenBackElsewhere = 'refund_elsewhere';

/**
 * As `refundOrder`, in the caller's transaction.
 * @param elsewhere what a marketplace has given back in all, in minor units: what lines and shipping do not explain of it is an adjustment. What it took
 * is given back in no other way
 */
export async function makeRefund(tx: TenantTransaction, asked: Asked, elsewhere?: bigint): Promise<Refund> {
  const { orderId, returnId, reference } = asked;
  const { tenant } = tx.context;
  const [order] = await tx.query<OrderRow & Record<string, unknown>>(sql`
        select mode, currency, shipping, shipping_refunded, greatest(captured - balance_refunded - total + credited, 0) as left_over,
          case when cancelled_at is null then greatest(total - credited - captured + balance_refunded, 0) else 0 end as due from orders.sales_order
        where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid for no key update`);
  if (order === undefined) throw noOrder();
  if (reference !== undefined) {
    const [known] = await tx.query(
      selectRefunds('f.order_id = $2::uuid and f.reference = $3', tenant, orderId, reference),
    );
    if (known !== undefined) return asItWas(refund.read(known));
  }
  const { mode, currency } = order;
  const back = returnId === undefined ? undefined : await receivedReturn(tx, orderId, returnId);
  if (back !== undefined && asked.lines !== undefined)
    throw invalidAt('/lines', 'not_with_return', 'Leave lines out: the return says which.');
  const units =
    back?.lines
      .filter(({ received }) => received > 0)
      .map(({ lineId, received }) => ({ lineId, quantity: received })) ??
    asked.lines ??
    [];
  if (back === undefined && elsewhere === undefined) await requireNoneBack(tx, orderId, units);
  const given = await sharesOf(tx, order, { ...asked, lines: units }, back !== undefined);
  const { lines, shipping, adjustment } = elsewhere === undefined ? given : explained(given, elsewhere);
  const balance = asked.balance === undefined ? 0n : minorOf(asked.balance, currency, '/balance');
  if (balance > BigInt(order.left_over)) throw exceedsBalance(order);
  const goods = lines.reduce((sum, { share }) => sum + share.total, 0n) + shipping.total + adjustment;
  if (goods + balance === 0n)
    throw invalidAt(
      '',
      'nothing_to_refund',
      'Give lines that cost something, an amount of shipping, an adjustment, or what an edit left over.',
    );
  const refundId = newId();
  const payments = await holdPaymentsOf(tx, orderId);
  const unpaid = BigInt(order.due) - promisedOf(payments);
  const credited = payments.some(isElsewhere) || unpaid <= 0n ? 0n : goods < unpaid ? goods : unpaid;
  const total = goods + balance - credited;
  await giveBack(tx, payments, { refundId, total, currency, elsewhere: elsewhere !== undefined });
  if (credited > 0n) await lowerAwaited(tx, payments, unpaid - credited, { kind: givenBack, id: refundId });
  await tx.query(sql`
        insert into orders.refund (tenant_id, refund_id, order_id, mode, return_id, reference, currency, shipping_net, shipping_tax, adjustment,
          balance, credited, total, reason, note)
        values (${tenant}::uuid, ${refundId}::uuid, ${orderId}::uuid, ${mode}, ${returnId ?? null}::uuid, ${reference ?? null}, ${currency},
          ${shipping.net}::bigint, ${shipping.tax}::bigint, ${adjustment}::bigint, ${balance}::bigint, ${credited}::bigint, ${total}::bigint, ${asked.reason}, ${asked.note ?? null})`);
  if (lines.length > 0) await countLines(tx, { orderId, refundId }, lines);
  if (shipping.total > 0n)
    await tx.query(sql`
          update orders.sales_order set shipping_refunded = shipping_refunded + ${shipping.total}::bigint
          where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid`);
  await noteFigures(tx, orderId, { balance, credited });
  if (lines.length > 0) {
    await countUnsent(tx, { id: orderId });
    // Of what was paid back before it left nothing stays reserved, once nothing else is to be sent.
    if (isAllSent(await leftToSend(tx, { id: orderId }))) await release(tx, { holder: orderId });
  }
  if (back !== undefined)
    tx.record(event('commerce.return.refunded', toldReturn(await moveReturn(tx, back, 'refunded', ['received']))));
  tx.record(
    event('commerce.order.refunded', {
      refund_id: refundId,
      order_id: orderId,
      mode,
      return_id: back?.id ?? null,
      reason: asked.reason,
      currency,
      lines: lines.map(({ lineId, quantity, share }) => ({
        line_id: lineId,
        quantity,
        net: formatAmount(share.net, currency),
        tax: formatAmount(share.tax, currency),
      })),
      shipping: { net: formatAmount(shipping.net, currency), tax: formatAmount(shipping.tax, currency) },
      adjustment: formatAmount(adjustment, currency),
      balance: formatAmount(balance, currency),
      credited: formatAmount(credited, currency),
      total: formatAmount(total, currency),
    }),
  );
  tx.publish(announcement('commerce.order.refunded', { orderId, refundId, mode }, { subject: orderId }));
  const [row] = await tx.query(selectRefunds('f.refund_id = $2::uuid', tenant, refundId));
  return refund.read(row ?? {});
}

interface Shares {
  readonly lines: readonly (AskedLine & { readonly share: Part })[];
  readonly shipping: Part;
  readonly adjustment: bigint;
}

/** What is asked for, as shares of what was charged. */
async function sharesOf(
  tx: TenantTransaction,
  order: OrderRow,
  { orderId, lines, shipping, adjustment }: Pick<Asked, 'orderId' | 'lines' | 'shipping' | 'adjustment'>,
  ofReturn: boolean,
): Promise<Shares> {
  const { currency } = order;
  return {
    lines: await shareLines(tx, orderId, lines ?? [], ofReturn),
    shipping: shipping === undefined ? nothing : shareShipping(order, minorOf(shipping, currency, '/shipping')),
    adjustment: adjustment === undefined ? 0n : minorOf(adjustment, currency, '/adjustment'),
  };
}

/** The same with what was really given back in all: where that is less than the shares, it is an amount beside them. */
function explained({ lines, shipping }: Shares, total: bigint): Shares {
  const left = lines.reduce((rest, { share }) => rest - share.total, total - shipping.total);
  return left < 0n ? { lines: [], shipping: nothing, adjustment: total } : { lines, shipping, adjustment: left };
}

async function receivedReturn(tx: TenantTransaction, orderId: string, returnId: string) {
  const found = await holdReturn(tx, returnId);
  if (found.orderId !== orderId.toLowerCase())
    throw invalidAt('/returnId', 'of_another_order', `The return is of order ${found.orderNumber}.`);
  if (found.state !== 'received')
    throw ordersFail('return_state', `The return is ${found.state}: it must be received for this.`);
  return found;
}

/**
 * Units that came back are paid back with their return, which is settled by that: not by lines beside it, and then once more.
 * @throws Problem `return_state` (409)
 */
async function requireNoneBack(tx: TenantTransaction, orderId: string, asked: readonly AskedLine[]): Promise<void> {
  if (asked.length === 0) return;
  const waiting = await tx.query<{ line_id: string; return_id: string }>(sql`
    select x.line_id, x.return_id from orders.return r
    join orders.return_line x on x.tenant_id = r.tenant_id and x.return_id = r.return_id
    where r.tenant_id = ${tx.context.tenant}::uuid and r.order_id = ${orderId}::uuid and r.state = 'received' and x.received > 0`);
  const errors = asked.flatMap(({ lineId }, at) => {
    const found = waiting.find((one) => one.line_id === lineId.toLowerCase());
    const detail = `Units of it came back with return ${found?.return_id}, which waits to be refunded: give that as \`returnId\`, or reject it.`;
    return found === undefined ? [] : [{ pointer: `/lines/${at}/lineId`, code: 'return_state', detail }];
  });
  const [first] = errors;
  if (first !== undefined)
    throw ordersFail('return_state', `${first.pointer}: ${first.detail}`, { errors: errors.slice(0, 20) });
}

/** What units of lines give back, after what was given back of them before. */
async function shareLines(
  tx: TenantTransaction,
  orderId: string,
  asked: readonly AskedLine[],
  ofReturn: boolean,
): Promise<(AskedLine & { readonly share: Part })[]> {
  if (asked.length === 0) return [];
  const rows = await tx.query<LineRow & Record<string, unknown>>(
    statement(
      `select line_id, quantity, refunded, net, tax from orders.line
       where tenant_id = $1::uuid and order_id = $2::uuid and line_id = any ($3::uuid[]) order by line_id for no key update`,
      [tx.context.tenant, orderId, asked.map(({ lineId }) => lineId)],
    ),
  );
  const known = new Map(rows.map((row) => [row.line_id, row]));
  const wrong: FieldError[] = [];
  const beyond: FieldError[] = [];
  const shared = asked.flatMap(({ lineId, quantity }, index) => {
    const row = known.get(lineId.toLowerCase());
    const at = ofReturn ? '/returnId' : `/lines/${index}`;
    if (row === undefined) {
      wrong.push({
        pointer: `${at}/lineId`,
        code: 'unknown_line',
        detail: 'The order has no such line, or it is given twice.',
      });
      return [];
    }
    known.delete(row.line_id);
    const left = row.quantity - row.refunded;
    if (quantity > left) {
      const detail =
        left === 0 ? 'All of the line was paid back already.' : `${left} of the line were not paid back yet.`;
      beyond.push({ pointer: ofReturn ? at : `${at}/quantity`, code: 'refund_exceeds_line', detail });
      return [];
    }
    const charged = { quantity: row.quantity, net: BigInt(row.net), tax: BigInt(row.tax) };
    return [{ lineId: row.line_id, quantity, share: refundShare(charged, quantity, row.refunded) }];
  });
  if (wrong.length > 0) throw invalidLines(wrong);
  const [first] = beyond;
  if (first !== undefined)
    throw ordersFail('refund_exceeds_line', `${first.pointer}: ${first.detail}`, { errors: beyond.slice(0, 20) });
  return shared;
}

function exceedsBalance({ left_over: left, currency }: OrderRow): Error {
  const detail = `${formatAmount(BigInt(left), currency)} ${currency} were captured beyond what the order costs and not given back.`;
  return ordersFail('refund_exceeds_balance', `/balance: ${detail}`, {
    errors: [{ pointer: '/balance', code: 'refund_exceeds_balance', detail }],
  });
}

function shareShipping({ shipping, shipping_refunded, currency }: OrderRow, amount: bigint): Part {
  const left = BigInt(shipping?.total ?? 0) - BigInt(shipping_refunded);
  if (shipping === null || amount > left) {
    const detail = `${formatAmount(left, currency)} ${currency} of shipping were charged and not paid back.`;
    throw ordersFail('refund_exceeds_line', `/shipping: ${detail}`, {
      errors: [{ pointer: '/shipping', code: 'refund_exceeds_line', detail }],
    });
  }
  return amountShare({ net: BigInt(shipping.net), tax: BigInt(shipping.tax) }, amount, BigInt(shipping_refunded));
}

interface GivingBack {
  readonly refundId: string;
  readonly total: bigint;
  readonly currency: string;
  readonly elsewhere: boolean;
}

const isElsewhere = ({ handler }: Payment): boolean => handler === marketplaceKind.name;

/** From payments of the order in the order of their ids, each as far as it captured. */
async function giveBack(
  tx: TenantTransaction,
  all: readonly Payment[],
  { refundId, total, currency, elsewhere }: GivingBack,
): Promise<void> {
  let left = total;
  const payments = all.filter((one) => isElsewhere(one) === elsewhere);
  const available = payments.reduce((sum, { captured, refunded }) => sum + captured - refunded, 0n);
  const exceeded = (): Error =>
    ordersFail(
      'refund_exceeds_captured',
      `${formatAmount(available, currency)} ${currency} were captured and not given back, and this gives back ` +
        `${formatAmount(total, currency)}: record what arrived first, or give back less.${payments.length < all.length ? ' What a marketplace took is given back there.' : ''}`,
    );
  if (total > available) throw exceeded();
  const source = { kind: elsewhere ? givenBackElsewhere : givenBack, id: refundId };
  for (const { id, captured, refunded } of payments) {
    const amount = captured - refunded < left ? captured - refunded : left;
    if (amount === 0n) continue;
    left -= amount;
    const { payment, operation: made } = await operate(tx, id, {
      kind: 'refund',
      amount,
      source,
      set: 'refunded = refunded + $3::bigint',
      when: 'p.refunded + $3::bigint <= p.captured',
      refused: exceeded,
    });
    if (made === undefined) continue;
    tx.record(event('commerce.payment.refunded', operated({ id: made, amount, source }, payment)));
    if (isOutside(payment)) await askProvider(tx, payment, { id: made, kind: 'refund', amount, source });
  }
}

async function countLines(
  tx: TenantTransaction,
  { orderId, refundId }: { readonly orderId: string; readonly refundId: string },
  lines: readonly (AskedLine & { readonly share: Part })[],
): Promise<void> {
  const { tenant } = tx.context;
  const ids = lines.map(({ lineId }) => lineId);
  const units = lines.map(({ quantity }) => quantity);
  const counted = await tx.query(sql`
    update orders.line l set refunded = l.refunded + a.quantity
    from unnest(${ids}::uuid[], ${units}::int[]) a (line_id, quantity)
    where l.tenant_id = ${tenant}::uuid and l.order_id = ${orderId}::uuid and l.line_id = a.line_id
      and l.refunded + a.quantity <= l.quantity returning l.line_id`);
  if (counted.length < lines.length)
    throw ordersFail('refund_exceeds_line', 'Units of the order were paid back meanwhile: read it again.');
  await tx.query(sql`
    insert into orders.refund_line (tenant_id, refund_id, order_id, line_id, quantity, net, tax)
    select ${tenant}::uuid, ${refundId}::uuid, ${orderId}::uuid, l.id, l.quantity, l.net, l.tax
    from unnest(${ids}::uuid[], ${units}::int[], ${lines.map(({ share }) => String(share.net))}::bigint[],
      ${lines.map(({ share }) => String(share.tax))}::bigint[]) l (id, quantity, net, tax)`);
}
