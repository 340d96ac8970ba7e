import { type Delivery, NeverApplies } from '@steward/callbacks';
import type { ProviderClient } from '@steward/kernel';
import { dictionary } from '@steward/kernel';
import type { MovementKind } from '../feeds/movement.ts';
import { type Api, type ClearingProvider, type Connection, found, secretOf, segment } from './provider.ts';
import {
  dayOfSeconds,
  integer,
  listOf,
  type Members,
  membersOf,
  referenceIn,
  required,
  textOf,
  UnexpectedAnswer,
} from './read.ts';
import type { PayoutStatus, Said, SaidMovement, SaidPayout } from './said.ts';

/** Of the answers that this reads. */
const version = '2025-09-30.clover';
const pageSize = 100;
/** Of a payout at most: fifty thousand movements. */
const mostPages = 500;

/**
 * Stripe. What a connected account's balance did is asked as balance transactions, which have the fee, never change, and are the same whether a
 * charge, a refund, a dispute or the payout tells of them.
 */
export const stripeClearing = (api: Api): ClearingProvider => ({
  name: 'stripe',
  title: 'Stripe',
  credentials: {
    apiKey:
      'Restricted key of the account, `rk_…`, that may read charges, refunds, disputes, payouts, balance transactions and the account; or the key of the platform that the account is connected to.',
  },
  topics: [
    'charge.succeeded',
    'charge.captured',
    'charge.updated',
    'charge.refunded',
    'charge.refund.updated',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
    'payout.created',
    'payout.updated',
    'payout.paid',
    'payout.failed',
    'payout.canceled',
    'payout.reconciliation_completed',
  ],
  accountOf: async (connection, secrets) => {
    if (secrets['apiKey'] === undefined) return undefined;
    const ask = asker(api.of(connection), { ...connection, secrets }, AbortSignal.timeout(10_000));
    return required((await ask('/v1/account'))['id'], 'id');
  },
  say: async (connection, delivery, signal) => {
    const ask = asker(api.of(connection), connection, signal);
    const object = membersOf(membersOf(delivery.data['data'])['object']);
    const id = segment(object['id']);
    switch (object['object']) {
      case 'charge':
        return charge(ask, id);
      case 'refund':
        return refund(
          await ask(`/v1/refunds/${id}`, {
            'expand[0]': 'balance_transaction',
            'expand[1]': 'failure_balance_transaction',
          }),
        );
      case 'dispute':
        return dispute(await ask(`/v1/disputes/${id}`));
      case 'payout':
        return payout(ask, id, delivery);
      default:
        throw new NeverApplies(`an event ${delivery.topic} is about no ${String(object['object']).slice(0, 40)}`);
    }
  },
});

type Ask = (path: string, query?: Readonly<Record<string, string>>) => Promise<Members>;

function asker(client: ProviderClient, connection: Connection, signal: AbortSignal): Ask {
  const headers = {
    authorization: `Bearer ${secretOf(connection, 'apiKey')}`,
    'stripe-version': version,
    ...(connection.account === null ? {} : { 'stripe-account': connection.account }),
  };
  return async (path, query = {}) =>
    membersOf((await found(client.call('GET', path, { query, headers, signal }))).body);
}

async function charge(ask: Ask, id: string): Promise<Said> {
  const said = await ask(`/v1/charges/${id}`, { 'expand[0]': 'balance_transaction' });
  const movements = moved(said['balance_transaction'], said);
  if (integer(said['amount_refunded'] ?? 0, 'amount_refunded') === 0n) return { movements, payouts: [] };
  const refunds = await each(ask, '/v1/refunds', {
    charge: id,
    'expand[0]': 'data.balance_transaction',
    'expand[1]': 'data.failure_balance_transaction',
  });
  return { movements: [...movements, ...refunds.flatMap((one) => refund(one).movements)], payouts: [] };
}

const refund = (said: Members): Said => ({
  movements: [...moved(said['balance_transaction'], said), ...moved(said['failure_balance_transaction'], said)],
  payouts: [],
});

const dispute = (said: Members): Said => ({
  movements: listOf(said['balance_transactions']).flatMap((one) => moved(one, said)),
  payouts: [],
});

async function payout(ask: Ask, id: string, delivery: Delivery): Promise<Said> {
  const said = await ask(`/v1/payouts/${id}`, {
    'expand[0]': 'balance_transaction',
    'expand[1]': 'failure_balance_transaction',
  });
  const own = [...moved(said['balance_transaction'], said), ...moved(said['failure_balance_transaction'], said)];
  const itemized = said['automatic'] === true;
  const listed = itemized
    ? await each(ask, '/v1/balance_transactions', { payout: id, 'expand[0]': 'data.source' })
    : [];
  const parts = listed.flatMap((one) => moved(one, membersOf(one['source'])));
  const currency = required(said['currency'], 'currency').toUpperCase();
  const one: SaidPayout = {
    id: required(said['id'], 'id'),
    currency,
    amount: minor(said['amount'], currency, 'amount'),
    day: dayOfSeconds(said['arrival_date'], 'arrival_date'),
    status: statusOf(said['status']),
    itemized,
    // Before that, a list may lack some.
    complete:
      itemized &&
      (said['reconciliation_status'] === 'completed' || delivery.topic === 'payout.reconciliation_completed'),
  };
  const known = new Set(own.map(({ id: of }) => of));
  return {
    movements: [...own, ...parts.filter((part) => !known.has(part.id))].map((part) =>
      isOfPayout(part.kind) ? part : { ...part, payoutId: one.id },
    ),
    payouts: [one],
  };
}

const isOfPayout = (kind: MovementKind): boolean => kind === 'payout' || kind === 'payout_reversal';

function statusOf(status: unknown): PayoutStatus {
  if (status === 'paid' || status === 'pending' || status === 'in_transit') return status;
  if (status === 'failed' || status === 'canceled') return 'failed';
  throw new UnexpectedAnswer('the provider’s answer has no known status of a payout');
}

/** All of a list, page by page. A page that fails has the whole asked again. */
async function each(ask: Ask, path: string, query: Readonly<Record<string, string>>): Promise<readonly Members[]> {
  const all: Members[] = [];
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const said = await ask(path, {
      ...query,
      limit: String(pageSize),
      ...(after === undefined ? {} : { starting_after: after }),
    });
    const items = listOf(said['data']);
    all.push(...items);
    if (said['has_more'] !== true) return all;
    const last = textOf(items.at(-1)?.['id']);
    if (last === undefined || last === after) throw new UnexpectedAnswer('the provider’s list does not go on');
    after = last;
  }
  throw new NeverApplies(`the provider lists more than ${mostPages * pageSize} movements of one payout`);
}

const kinds = dictionary<MovementKind>({
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_reversal',
  payment_failure_refund: 'refund_reversal',
  payout: 'payout',
  payout_cancel: 'payout_reversal',
  payout_failure: 'payout_reversal',
  stripe_fee: 'fee',
  application_fee: 'fee',
  application_fee_refund: 'fee',
  network_cost: 'fee',
  tax_fee: 'fee',
  transfer: 'transfer',
  transfer_refund: 'transfer',
  transfer_cancel: 'transfer',
  transfer_failure: 'transfer',
});
const categories = dictionary<MovementKind>({
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  fee: 'fee',
});

/** What a balance transaction did: its amount and, apart from it, its fee. None where there is none yet. */
function moved(of: unknown, source: Members): readonly SaidMovement[] {
  if (of === null || of === undefined) return [];
  const said = membersOf(of);
  const id = required(said['id'], 'id of a balance transaction');
  const currency = required(said['currency'], 'currency').toUpperCase();
  const type = textOf(said['type']) ?? '';
  const kind = kinds[type] ?? categories[textOf(said['reporting_category']) ?? ''] ?? 'adjustment';
  // What merchants write there names customers, and a line cannot be erased.
  const words = [textOf(source['id'])].filter((one) => one !== undefined);
  const common = {
    currency,
    day: dayOfSeconds(said['created'], 'created'),
    reference: referenceIn(source['metadata']),
  };
  const title = `Stripe ${kind.replaceAll('_', ' ')}`;
  const movements: SaidMovement[] = [
    {
      ...common,
      id,
      kind,
      amount: minor(said['amount'], currency, 'amount'),
      description: [title, ...words].join(' '),
    },
  ];
  const fee = minor(said['fee'], currency, 'fee');
  if (fee !== 0n)
    movements.push({
      ...common,
      id: `${id}:fee`,
      kind: 'fee',
      amount: -fee,
      description: ['Stripe fee', ...words].join(' '),
      // It is no part of what a customer paid.
      reference: null,
    });
  return movements;
}

/** Stripe's units of these are hundredths although ISO 4217 has none, and of MGA whole although it has two. https://docs.stripe.com/currencies */
const hundredths = new Set(['ISK', 'UGX']);

function minor(value: unknown, currency: string, what: string): bigint {
  const units = integer(value, what);
  if (currency === 'MGA') return units * 100n;
  if (!hundredths.has(currency)) return units;
  if (units % 100n !== 0n) throw new UnexpectedAnswer(`the provider's answer has a part of a unit as ${what}`);
  return units / 100n;
}
