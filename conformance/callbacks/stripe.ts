import { createHmac } from 'node:crypto';
import type { Asked, Said } from '@steward/testing/stub-api';

type Thing = Readonly<Record<string, unknown>> & { readonly id: string };

/** Merchants write who bought into their payments, and Stripe repeats it wherever the payment is told. */
const named = 'Order of Ann Bo, ann@example.com';

/** A connected account at Stripe: what happened there, and what its API says of it. */
export interface StripeAccount {
  readonly account: string;
  readonly key: string;
  /** A charge with its fee; answers the event. */
  charge(id: string, cents: number, fee: number, metadata?: Readonly<Record<string, string>>): string;
  refund(id: string, charge: string, cents: number): string;
  dispute(id: string, charge: string, cents: number, fee: number): string;
  /** Pays out all that was not paid out; answers what Stripe tells of it, in its order. */
  payout(id: string): readonly string[];
  answer(asked: Asked): Said;
  event(type: string, object: object, more?: object): string;
}

export const connectSecret = 'whsec_accounting_connect_0001';

export const stripeHeaders = (body: string, secret = connectSecret, at = Date.now()): Record<string, string> => {
  const time = Math.floor(at / 1000);
  return {
    'content-type': 'application/json',
    'stripe-signature': `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  };
};

/** As the API of Stripe documents: balance transactions are immutable, and a payout lists its own. */
export function stripeAccount(account: string, key: string, currency = 'usd'): StripeAccount {
  const objects = new Map<string, Record<string, unknown>>();
  const balance: Record<string, unknown>[] = [];
  let counter = 0;
  const day = 1_790_000_000;
  const transact = (type: string, amount: number, fee: number, source: string, more: object = {}): Thing => {
    counter += 1;
    const one = {
      id: `txn_${account.slice(5)}${counter}`,
      object: 'balance_transaction',
      type,
      reporting_category: type,
      amount,
      fee,
      net: amount - fee,
      currency,
      created: day + counter * 60,
      source,
      description: named,
      payout: null,
      ...more,
    };
    balance.push(one);
    return one;
  };
  const event = (type: string, object: object, more: object = {}): string =>
    JSON.stringify({
      id: `evt_${account.slice(5)}${(counter += 1)}`,
      object: 'event',
      api_version: '2025-09-30.clover',
      account,
      created: day + counter * 60,
      livemode: true,
      type,
      data: { object },
      ...more,
    });
  const expanded = (object: Record<string, unknown>): Record<string, unknown> => ({
    ...object,
    ...Object.fromEntries(
      ['balance_transaction', 'failure_balance_transaction'].map((name) => [
        name,
        balance.find(({ id }) => id === object[name]) ?? null,
      ]),
    ),
  });
  const listed = (query: URLSearchParams, all: readonly Record<string, unknown>[]): Said => {
    const limit = Math.min(Number(query.get('limit') ?? 10), 3);
    const from = query.get('starting_after');
    const at = from === null ? 0 : all.findIndex(({ id }) => id === from) + 1;
    return { body: { object: 'list', data: all.slice(at, at + limit), has_more: at + limit < all.length } };
  };
  return {
    account,
    key,
    event,
    charge: (id, cents, fee, metadata = {}) => {
      const transaction = transact('charge', cents, fee, id);
      const common = { object: 'charge', amount: cents, amount_refunded: 0, currency, metadata, description: named };
      const charge = { id, ...common };
      objects.set(id, { ...charge, balance_transaction: transaction.id });
      return event('charge.succeeded', { ...charge, balance_transaction: transaction.id });
    },
    refund: (id, charge, cents) => {
      const of = objects.get(charge) ?? {};
      objects.set(charge, { ...of, amount_refunded: Number(of['amount_refunded']) + cents });
      const transaction = transact('refund', -cents, 0, id);
      objects.set(id, {
        id,
        object: 'refund',
        charge,
        amount: cents,
        metadata: {},
        balance_transaction: transaction.id,
      });
      return event('charge.refunded', { ...of, amount_refunded: cents });
    },
    dispute: (id, charge, cents, fee) => {
      const transaction = transact('adjustment', -cents, fee, id, { reporting_category: 'dispute' });
      const dispute = { id, object: 'dispute', charge, amount: cents, metadata: {} };
      objects.set(id, { ...dispute, balance_transactions: [transaction] });
      return event('charge.dispute.created', { ...dispute, balance_transactions: [transaction] });
    },
    payout: (id) => {
      const open = balance.filter(({ payout }) => payout === null);
      const sum = open.reduce((total, { net }) => total + Number(net), 0);
      const own = transact('payout', -sum, 0, id);
      for (const one of [...open, own]) (one as { payout: unknown }).payout = id;
      const payout = {
        id,
        object: 'payout',
        amount: sum,
        currency,
        automatic: true,
        arrival_date: day + 86_400 * 3,
        metadata: {},
      };
      objects.set(id, { ...payout, status: 'paid', reconciliation_status: 'completed', balance_transaction: own.id });
      return ['payout.created', 'payout.paid', 'payout.reconciliation_completed'].map((type) =>
        event(type, { ...payout, status: 'in_transit' }),
      );
    },
    answer: ({ path, query, headers }) => {
      if (headers.authorization !== `Bearer ${key}`)
        return { status: 401, body: { error: { type: 'invalid_request_error' } } };
      if (headers['stripe-account'] !== undefined && headers['stripe-account'] !== account)
        return { status: 403, body: { error: { code: 'account_invalid' } } };
      if (path === '/v1/account') return { body: { id: account, object: 'account' } };
      if (path === '/v1/refunds')
        return listed(
          query,
          [...objects.values()]
            .filter(({ charge, object }) => object === 'refund' && charge === query.get('charge'))
            .map(expanded),
        );
      if (path === '/v1/balance_transactions')
        return listed(
          query,
          balance
            .filter(({ payout }) => payout === query.get('payout'))
            .map((one) => ({ ...one, source: objects.get(String(one['source'])) ?? one['source'] })),
        );
      const found = objects.get(path.split('/').at(-1) ?? '');
      return found === undefined
        ? { status: 404, body: { error: { code: 'resource_missing' } } }
        : { body: expanded(found) };
    },
  };
}
