import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLog, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import fc from 'fast-check';
import {
  attachPayments,
  authorize,
  beginPayment,
  createPayments,
  lookUp,
  type Order,
  settlePayment,
} from '../component.ts';
import { editOrder } from '../edits/make.ts';
import { type Intent, openStripe, type StripeStub } from '../fixtures/stripe.ts';
import { createWorld, placing, selling, type World } from '../fixtures/world.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { getOrder } from '../orders/get.ts';
import { refundOrder } from '../refunds/make.ts';
import { captureOrderPayment } from './capture-order.ts';
import { recordOrderPayment } from './record.ts';
import { carryOut } from './requests/carry-out.ts';
import { updatePaymentSettings } from './settings.ts';
import { voidOrderPayment } from './void-order.ts';

const runs = 8 * Number(process.env['LONG_RUNS'] ?? 1);

/** What people do with an order that is paid by card, and what befalls the questions to its provider. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'provider' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('faulty provider' as const),
      fault: fc.constantFrom('cut' as const, 'half' as const, 'lost' as const, 500, 429),
    }),
  },
  fc.record({ do: fc.constant('lower' as const), to: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('add' as const), quantity: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ do: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 4_000 }) }),
  fc.record({ do: fc.constant('capture' as const), cents: fc.option(fc.integer({ min: 1, max: 4_000 })) }),
  fc.constantFrom(
    { do: 'balance' } as const,
    { do: 'fulfil' } as const,
    { do: 'void' } as const,
    { do: 'cancel' } as const,
    { do: 'record' } as const,
    { do: 'authorization is gone' } as const,
    { do: 'somebody captures at the provider' } as const,
  ),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('the money of an order that is paid by card', () => {
  let world: World;
  let stripe: StripeStub;
  before(async () => {
    world = await createWorld();
    stripe = await openStripe();
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await stripe[Symbol.asyncDispose]();
  });

  /** An order of three at 10.00 whose card is authorized. */
  const paying = async (captureAt: 'placement' | 'fulfilment') => {
    const { handlers, accounts } = createPayments({
      settings: { api: stripe.url, account: { apiKey: 'sk_live_1', publishableKey: undefined, live: true } },
      log: createLog('silent'),
    });
    const shop = await world.tenant();
    const { tenant } = shop;
    await updatePaymentSettings(shop, { captureAt, manualMethods: [] });
    const [cup, hat] = [await world.stocked(shop, 20), await world.stocked(shop, 20)];
    world.sell(hat, 700n);
    const whole = placing([{ variantId: cup, quantity: 3, unitPrice: 1000n }]);
    const { checkoutId, mode, total: amount, currency } = whole;
    const begun = await selling(shop, async (tx) =>
      beginPayment(tx, { checkoutId, mode, amount, currency, handler: 'card', method: 'card' }, accounts),
    );
    const system = world.system(tenant);
    const asked = await authorize(begun, system, handlers);
    const waits = await selling(shop, async (tx) => settlePayment(tx, begun.id, asked));
    const intent = stripe.intentOf(begun.id) ?? assert.fail('an intent');
    stripe.confirm(intent.id);
    const agreed = await lookUp(waits, system, handlers);
    const { id: orderId } = await world.place(shop, whole);
    await selling(shop, async (tx) => {
      await settlePayment(tx, begun.id, agreed);
      await attachPayments(tx, { checkoutId, orderId });
    });
    const provider = async (): Promise<void> => {
      const due = await world.admin.query<{ id: string }>(sql`
        update orders.payment_request set next_at = clock_timestamp() where state = 'asked' and tenant_id = ${tenant}::uuid returning request_id as id`);
      for (const { id } of due) await carryOut(system, id, handlers);
      stripe.faults.length = 0;
    };
    return { shop, tenant, orderId, hat, intent, provider };
  };
  type Paying = Awaited<ReturnType<typeof paying>>;

  const eur = (cents: number) => ({ amount: (cents / 100).toFixed(2), currency: 'EUR' });
  const minor = ({ amount }: { readonly amount: string }): bigint => BigInt(amount.replace('.', ''));

  const act = async ({ shop, orderId, hat, intent, provider }: Paying, now: Order, one: Step): Promise<unknown> => {
    const { version } = now;
    const lost = (change: Partial<Intent>): void => {
      if (intent.status === 'requires_capture') Object.assign(intent, { amount_capturable: 0, ...change });
    };
    switch (one.do) {
      case 'provider':
        return provider();
      case 'faulty provider':
        stripe.faults.push(one.fault, one.fault);
        return provider();
      case 'lower':
        return editOrder(
          shop,
          { orderId, version, lines: [{ lineId: now.lines[0]?.id ?? '', quantity: one.to }] },
          world.deps,
        );
      case 'add':
        return editOrder(shop, { orderId, version, add: [{ variantId: hat, quantity: one.quantity }] }, world.deps);
      case 'refund':
        return refundOrder(shop, { orderId, adjustment: eur(one.cents), reason: 'other' });
      case 'balance':
        return refundOrder(shop, { orderId, balance: now.toGiveBack, reason: 'other' });
      case 'capture':
        return captureOrderPayment(shop, { orderId, ...(one.cents === null ? {} : { amount: eur(one.cents) }) });
      case 'fulfil':
        return fulfilOrder(shop, { orderId });
      case 'void':
        return voidOrderPayment(shop, { orderId });
      case 'record':
        return recordOrderPayment(shop, { orderId });
      case 'cancel':
        return cancelOrder(shop, { orderId, reason: 'customer' }, world.deps);
      case 'authorization is gone':
        return lost({ status: 'canceled', cancellation_reason: 'automatic' });
      case 'somebody captures at the provider':
        return lost({ status: 'succeeded', amount_received: intent.amount });
    }
  };

  test('is at the provider what the order says, to the unit, whatever people do and in whichever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('placement' as const, 'fulfilment' as const),
        fc.array(step, { minLength: 4, maxLength: 14 }),
        async (captureAt, steps) => {
          const one = await paying(captureAt);
          const { shop, tenant, orderId, intent } = one;
          for (const next of steps)
            await act(one, await getOrder(shop, { orderId }), next).catch((error: unknown) => {
              if (!(error instanceof Problem) || error.status >= 500) throw error;
            });
          for (let rounds = 0; rounds < 4; rounds += 1) await one.provider();
          // What somebody took at the provider is found out when something is asked for.
          await voidOrderPayment(shop, { orderId }).catch(() => undefined);
          for (let rounds = 0; rounds < 4; rounds += 1) await one.provider();
          const end = await getOrder(shop, { orderId });
          const [sums] = await world.admin.query<Record<'captured' | 'refunded' | 'capturing' | 'open', bigint>>(sql`
            select coalesce(sum(captured) filter (where handler = 'card'), 0)::bigint as captured,
              coalesce(sum(refunded) filter (where handler = 'card'), 0)::bigint as refunded, sum(capturing)::bigint as capturing,
              coalesce(sum(amount - captured - voided) filter (where state in ('awaiting', 'authorized')), 0)::bigint as open
            from orders.payment where tenant_id = ${tenant}::uuid`);
          const requests = await world.admin.query<{ kind: string; state: string; amount: bigint }>(
            sql`select kind, state, amount::bigint as amount from orders.payment_request where tenant_id = ${tenant}::uuid order by request_id`,
          );
          const said = requests.map(({ kind, state, amount }) => `${kind} ${state} ${amount}`);
          const about = JSON.stringify({
            captureAt,
            steps,
            intent,
            said,
            end: [end.status, end.total, end.balanceDue],
          });
          assert.ok(sums !== undefined);
          assert.ok(!requests.some(({ state }) => state === 'asked'), about);
          const refused = requests
            .filter(({ kind, state }) => kind === 'refund' && state === 'refused')
            .reduce((sum, { amount }) => sum + amount, 0n);
          const back = stripe.refunds
            .filter(({ payment_intent: of }) => of === intent.id)
            .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
          assert.equal(BigInt(intent.amount_received) - back, sums.captured - sums.refunded + refused, about);
          assert.equal(sums.capturing, 0n, about);
          assert.ok(sums.open <= (end.cancelledAt === null ? minor(end.balanceDue) : 0n), `demanded twice: ${about}`);
        },
      ),
      {
        numRuns: runs,
        endOnFailure: false,
        examples: [
          // Another amount was taken at the provider than is asked for: less, and more than is open.
          [
            'fulfilment',
            [{ do: 'somebody captures at the provider' }, { do: 'capture', cents: 1 }, { do: 'provider' }],
          ],
          ['fulfilment', [{ do: 'lower', to: 1 }, { do: 'somebody captures at the provider' }, { do: 'fulfil' }]],
          // What is being taken is demanded again.
          ['placement', [{ do: 'lower', to: 1 }, { do: 'add', quantity: 1 }, { do: 'provider' }, { do: 'balance' }]],
          ['placement', [{ do: 'cancel' }, { do: 'provider' }]],
        ],
      },
    );
    assert.deepEqual(await world.told(), []);
  });
});
