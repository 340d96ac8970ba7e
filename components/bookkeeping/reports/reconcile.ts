import { operation } from '@steward/access';
import { dayText, figuresIn } from '@steward/accounting';
import { moneyShape } from '@steward/contract';
import { isCurrency, money, parseAmount } from '@steward/kernel';
import { figuresOf, type OrderFigures, placedBetween } from '@steward/orders';
import type { TenantScope } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { posting, type Posting, selectPostings } from '../postings/posting.ts';
import { type Kind, kinds, states } from '../words.ts';
import { compareCosts, costFigures } from './costs.ts';
import { refused } from './refused.ts';

const together = 500;
const mostOrders = 20_000;
const mostDays = 366;
const mostDifferences = 200;

const difference = z.object({
  orderId: z.uuid(),
  orderNumber: z.string(),
  kind: z.enum(kinds).exclude(['cost']),
  /** What the order says, and what the books have of it; of the kind refund, what lowered what is due is in both. */
  order: moneyShape,
  books: moneyShape,
  /** Of the posting: of one that is not there, null. */
  postingId: z.uuid().nullable(),
  state: z.enum(states).nullable(),
  reason: z.string().nullable(),
});
type Difference = z.output<typeof difference>;

const sums = z.object({
  currency: z.string(),
  orders: z.int(),
  placed: moneyShape,
  /** Of those, what was cancelled. */
  cancelled: moneyShape,
  /** Of issued invoices, of edits too. */
  invoiced: moneyShape,
  /** Of drafts, which are in no account. */
  drafted: moneyShape,
  /** Of credit notes: of refunds, of edits and of cancelled orders. */
  credited: moneyShape,
  /** The sum of the differences of the kinds invoice and cancellation. */
  notInvoiced: moneyShape,
  /** What came in, by the orders, and by payments of the books. */
  captured: moneyShape,
  paid: moneyShape,
  notPaid: moneyShape,
  /** What was given back, by the orders, and by payments of the books. */
  refunded: moneyShape,
  paidBack: moneyShape,
  notPaidBack: moneyShape,
});

const none = {
  orders: 0,
  placed: 0n,
  cancelled: 0n,
  invoiced: 0n,
  drafted: 0n,
  credited: 0n,
  notInvoiced: 0n,
  captured: 0n,
  paid: 0n,
  refunded: 0n,
  paidBack: 0n,
};
type Sum = typeof none;

/** Orders of some days against the books, order by order, and what goods cost that moved on them. @throws Problem `invalid_request` (400) for too many days or orders */
export const reconcileOrders = operation(
  {
    ...reads,
    name: 'service_reconcile_orders',
    input: z.strictObject({
      from: dayText.meta({ description: 'First day on which orders were placed, by UTC: YYYY-MM-DD.' }),
      to: dayText.meta({ description: `Last day, at most ${mostDays} days later.` }),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, { error: 'Give a code of ISO 4217 in upper case, such as EUR', abort: true })
        .refine(isCurrency, 'ISO 4217 has no such currency with a minor unit: give a code such as EUR')
        .optional()
        .meta({ description: 'Only orders in this currency.' }),
    }),
    answer: z.object({
      from: z.string(),
      to: z.string(),
      currencies: z.array(sums),
      /** The first ones; their number says how many there are. */
      differences: z.array(difference),
      differenceCount: z.int(),
      costs: costFigures,
    }),
  },
  async (scope, { from, to, currency }) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    if (days < 0 || days > mostDays)
      throw refused('/to', `Give a day from ${from} on, at most ${mostDays} days later.`);
    const all = new Map<string, Sum>();
    const differences: Difference[] = [];
    let differenceCount = 0;
    let read = 0;
    for (let after: string | undefined; ;) {
      const rows = await scope.read(
        placedBetween(scope.context.tenant, { from, to, currency, after, limit: together }),
      );
      const orders = rows.map(figuresOf);
      read += orders.length;
      if (read > mostOrders) throw refused('/to', `There are more than ${mostOrders} orders: give fewer days.`);
      for (const one of await compared(scope, orders, all)) {
        differenceCount += 1;
        if (differences.length < mostDifferences) differences.push(one);
      }
      after = orders.at(-1)?.id;
      if (orders.length < together) break;
    }
    const currencies = [...all]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, sum]) => {
        const told = (minor: bigint) => money(minor, code);
        return {
          currency: code,
          orders: sum.orders,
          placed: told(sum.placed),
          cancelled: told(sum.cancelled),
          invoiced: told(sum.invoiced),
          drafted: told(sum.drafted),
          credited: told(sum.credited),
          notInvoiced: told(sum.notInvoiced),
          captured: told(sum.captured),
          paid: told(sum.paid),
          notPaid: told(sum.captured - sum.paid),
          refunded: told(sum.refunded),
          paidBack: told(sum.paidBack),
          notPaidBack: told(sum.refunded - sum.paidBack),
        };
      });
    const costs = await compareCosts(scope, { from, to });
    return { from, to, currencies, differences, differenceCount, costs };
  },
);

const atLeastNone = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

const isOpen = ({ state }: Posting): boolean => state !== 'posted' && state !== 'left_out';

/** Adds a page of orders to the sums; answers where the books have something else. */
async function compared(
  scope: TenantScope,
  orders: readonly OrderFigures[],
  all: Map<string, Sum>,
): Promise<Difference[]> {
  if (orders.length === 0) return [];
  const { tenant } = scope.context;
  const ids = orders.map(({ id }) => id);
  const rows = (await scope.read(selectPostings('p.order_id = any ($2::uuid[])', tenant, ids))).map(posting.read);
  const booked = await figuresIn(
    scope.context,
    rows.flatMap(({ documentId }) => documentId ?? []),
    rows.flatMap(({ paymentIds }) => paymentIds),
    rows.flatMap(({ kind, sourceId }) => (kind === 'allocation' ? sourceId : [])),
  );
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  const figure = (one: Posting | undefined) => {
    const found = one?.documentId == null ? undefined : booked.documents.get(one.documentId);
    return found?.status === 'void' ? undefined : found;
  };
  return orders.flatMap((order) => {
    const { currency } = order;
    const minor = (text: string): bigint => parseAmount(text, currency) ?? 0n;
    const own = byOrder.get(order.id) ?? [];
    const sum = all.get(currency) ?? { ...none };
    all.set(currency, sum);
    const of = (kind: Kind): Posting[] => own.filter((one) => one.kind === kind);
    const [bill] = of('invoice');
    const [cancellation] = of('cancellation');
    const document = figure(bill);
    const made = document?.total ?? 0n;
    const issued = (those: readonly Posting[]): bigint =>
      those.reduce((so, one) => so + (figure(one)?.status === 'issued' ? (figure(one)?.total ?? 0n) : 0n), 0n);
    const [charged, lowered] = [issued(of('edit_charge')), issued(of('edit_credit'))];
    const credited = issued([...of('refund'), ...of('cancellation')]) + lowered;
    const moved = (those: readonly Posting[]): bigint =>
      those
        .flatMap(({ paymentIds }) => paymentIds)
        .reduce((so, paymentId) => so + (booked.payments.get(paymentId) ?? 0n), 0n);
    const [total, captured, refunded, lessDue] = [order.total, order.captured, order.refunded, order.credited].map(
      ({ amount }) => minor(amount),
    ) as [bigint, bigint, bigint, bigint];
    const [payments, refunds, allocations] = [of('payment'), of('refund'), of('allocation')];
    const allocated = allocations.reduce(
      (so, { sourceId, paymentIds }) => so + (paymentIds.length === 0 ? 0n : (booked.allocations.get(sourceId) ?? 0n)),
      0n,
    );
    const [paid, paidBack] = [moved(payments) + allocated, moved(refunds)];
    // What a credit note has beyond what was given back as money lowers what is due. Of a cancelled order nothing is.
    const lowers = refunds.reduce((so, one) => so + atLeastNone(issued([one]) - moved([one])), 0n);
    const [takenBack, takenBackHere] = order.cancelled ? [refunded, paidBack] : [refunded + lessDue, paidBack + lowers];
    // Of a cancelled order nothing stays: what was invoiced is credited.
    const [due, stays] = order.cancelled ? [0n, made + charged - credited] : [total, made + charged - lowered];
    sum.orders += 1;
    sum.placed += total;
    sum.cancelled += order.cancelled ? total : 0n;
    sum.credited += credited;
    sum.notInvoiced += due - stays;
    sum.captured += captured;
    sum.paid += paid;
    sum.refunded += refunded;
    sum.paidBack += paidBack;
    if (document?.status === 'draft') sum.drafted += made;
    else sum.invoiced += made;
    sum.invoiced += charged;
    const differs = (kind: Difference['kind'], says: bigint, has: bigint, by: Posting | undefined): Difference[] =>
      says === has
        ? []
        : [
            {
              orderId: order.id,
              orderNumber: order.number,
              kind,
              order: money(says, currency),
              books: money(has, currency),
              postingId: by?.id ?? null,
              state: by?.state ?? null,
              reason: by?.reason ?? null,
            },
          ];
    const unsettled = (those: readonly Posting[]) => those.find(({ state }) => state !== 'posted') ?? those[0];
    return [
      ...(order.cancelled
        ? differs('cancellation', due, stays, cancellation ?? bill)
        : differs('invoice', due, stays, [...of('edit_charge'), ...of('edit_credit')].find(isOpen) ?? bill)),
      ...differs('payment', captured, paid, unsettled([...payments, ...allocations])),
      ...differs('refund', takenBack, takenBackHere, unsettled(refunds)),
    ];
  });
}
