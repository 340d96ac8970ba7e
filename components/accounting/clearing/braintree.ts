import { NeverApplies, readBraintree } from '@steward/callbacks';
import {
  type Api,
  type ClearingProvider,
  type Connection,
  found,
  requireOwn,
  secretOf,
  segment,
  settingOf,
} from './provider.ts';
import { dayOf, decimal, listOf, type Members, membersOf, required, textOf, UnexpectedAnswer } from './read.ts';
import { nothingSaid, type Said, type SaidMovement, type SaidPayout } from './said.ts';

/** Of the answers that this reads. */
const version = '6';
const form = /^[A-Za-z0-9_-]{1,100}$/;
/** As many as Braintree answers at once. */
const pageSize = 50;
/** Of a disbursement at most. */
const mostTransactions = 20_000;
const mostBytes = 4_194_304;

const disputes = ['opened', 'lost', 'won', 'accepted', 'auto_accepted', 'disputed', 'expired', 'under_review'];

/**
 * Braintree. It tells of a card payment only when it pays it out: a disbursement names its transactions, which are asked with what each of them
 * settled at. Its signature covers all of a notification, and a disbursement cannot be asked again, so of that what was signed is read.
 */
export const braintreeClearing = (api: Api): ClearingProvider => ({
  name: 'braintree',
  title: 'Braintree',
  credentials: {},
  settings: { merchant_id: 'Id of the merchant, as the API key shows it.' },
  needs: ['merchant_id'],
  fixed: ['merchant_id'],
  topics: [
    'transaction_settled',
    'transaction_settlement_declined',
    'refund_failed',
    'disbursement',
    'disbursement_exception',
    ...disputes.map((one) => `dispute_${one}`),
  ],
  say: async (connection, { topic, data }, signal) => {
    // Notifications of connected merchants name theirs.
    const source = textOf(data['source-merchant-id']);
    requireOwn(settingOf(connection, 'merchant_id'), source === undefined ? [] : [source]);
    const ask = asker(api, connection, signal);
    const subject = membersOf(data['subject']);
    if (topic.startsWith('dispute_')) {
      const id = segment(membersOf(subject['dispute'])['id'], form);
      return dispute(await ask('GET', `/disputes/${id}`, 'dispute'));
    }
    if (topic.startsWith('disbursement')) return disbursement(ask, membersOf(subject['disbursement']));
    const id = segment(membersOf(subject['transaction'])['id'], form);
    const said = await ask('GET', `/transactions/${id}`, 'transaction');
    const movements = moved(said);
    return movements.length > 0 || !failed.has(textOf(said['status']) ?? '')
      ? { ...nothingSaid, movements }
      : { ...nothingSaid, gone: [id, `${id}:fee`] };
  },
});

type Ask = (method: 'GET' | 'POST', path: string, answer: string, body?: object) => Promise<Members>;

/** Its API takes JSON and answers XML. The private key that signs notifications is that of the API key. */
function asker(api: Api, connection: Connection, signal: AbortSignal): Ask {
  const client = api.of(connection);
  const merchant = segment(settingOf(connection, 'merchant_id'), form);
  const key = `${settingOf(connection, 'public_key')}:${secretOf(connection, 'signing')}`;
  const headers = { authorization: `Basic ${Buffer.from(key).toString('base64')}`, 'x-apiversion': version };
  return async (method, path, answer, body) => {
    const text = { type: 'application/xml', most: mostBytes };
    const asked = client.call(method, `/merchants/${merchant}${path}`, { headers, text, body, signal });
    const said = (await found(asked)).body;
    try {
      return readBraintree(String(said), answer);
    } catch (cause) {
      throw new UnexpectedAnswer(`Braintree answered no ${answer}`, { cause });
    }
  };
}

const failed = new Set(['settlement_declined', 'failed', 'voided', 'processor_declined', 'gateway_rejected']);

/** A settled transaction: what the customer paid, and what of that is not paid out; in another currency it is one movement, of what it settled at. */
function moved(said: Members, payoutId: string | null = null): readonly SaidMovement[] {
  if (said['status'] !== 'settled') return [];
  const id = required(said['id'], 'id');
  const isSale = said['type'] !== 'credit';
  const sign = isSale ? 1n : -1n;
  const kind = isSale ? 'charge' : 'refund';
  const currency = required(said['currency-iso-code'], 'currency-iso-code');
  const amount = sign * decimal(said['amount'], currency, 'amount');
  const details = membersOf(said['disbursement-details']);
  const settledIn = textOf(details['settlement-currency-iso-code']) ?? currency;
  const written = textOf(details['settlement-amount']);
  const settled = written === undefined ? undefined : sign * decimal(written, settledIn, 'settlement-amount');
  const common = {
    day: dayOf(said['created-at'], 'created-at'),
    reference: textOf(said['order-id']) ?? null,
    payoutId,
  };
  const words = `Braintree ${kind} ${id}`;
  if (settledIn !== currency)
    return settled === undefined
      ? []
      : [{ ...common, id, kind, currency: settledIn, amount: settled, description: `${words}, converted` }];
  return [
    { ...common, id, kind, currency, amount, description: words },
    {
      ...common,
      id: `${id}:fee`,
      kind: 'fee',
      currency,
      amount: (settled ?? amount) - amount,
      description: `Braintree fee ${id}`,
      reference: null,
    },
  ];
}

async function disbursement(ask: Ask, said: Members): Promise<Said> {
  const id = required(said['id'], 'id');
  const currency = required(membersOf(said['merchant-account'])['currency-iso-code'], 'currency-iso-code');
  const sign = said['disbursement-type'] === 'debit' ? -1n : 1n;
  const amount = sign * decimal(said['amount'], currency, 'amount');
  const day = dayOf(said['disbursement-date'], 'disbursement-date');
  // Tried again, it is another one with the same transactions.
  const isPaid = said['success'] === 'true';
  const ids = idsOf(said['transaction-ids']);
  const settled: Members[] = [];
  for (let at = 0; at < ids.length; at += pageSize) {
    const body = { search: { ids: ids.slice(at, at + pageSize) } };
    const page = await ask('POST', '/transactions/advanced_search', 'credit-card-transactions', body);
    const found = page['transaction'];
    settled.push(...(Array.isArray(found) ? listOf(found) : found === undefined ? [] : [membersOf(found)]));
  }
  const payout: SaidPayout = {
    id,
    currency,
    amount,
    day,
    status: isPaid ? 'paid' : 'failed',
    itemized: isPaid,
    complete: isPaid && settled.length === ids.length && settled.every(({ status }) => status === 'settled'),
  };
  const movements = settled.flatMap((one) => moved(one, isPaid ? id : null));
  const out: SaidMovement = {
    id: `disbursement:${id}`,
    kind: 'payout',
    currency,
    amount: -amount,
    day,
    description: `Braintree payout ${id}`,
  };
  return { movements: isPaid ? [...movements, out] : movements, payouts: [payout] };
}

function idsOf(said: unknown): readonly string[] {
  const ids: readonly unknown[] = Array.isArray(said) ? said : [];
  if (ids.length > mostTransactions) throw new NeverApplies('a disbursement has too many transactions');
  return [...new Set(ids.map((id) => segment(id, form)))];
}

/** The money of a dispute goes when it is opened, and comes back where it is won. A retrieval only asks for papers. */
function dispute(said: Members): Said {
  if (said['kind'] === 'retrieval') return nothingSaid;
  const id = required(said['id'], 'id');
  const currency = required(said['currency-iso-code'], 'currency-iso-code');
  const disputed = decimal(said['amount-disputed'], currency, 'amount-disputed');
  const opened: SaidMovement = {
    id: `dispute:${id}`,
    kind: 'dispute',
    currency,
    amount: -disputed,
    day: dayOf(said['received-date'], 'received-date'),
    description: `Braintree dispute ${id}`,
    reference: textOf(membersOf(said['transaction'])['order-id']) ?? null,
  };
  if (said['status'] !== 'won') return { ...nothingSaid, movements: [opened] };
  const won = listOf(said['status-history']).findLast(({ status }) => status === 'won');
  const back = textOf(said['amount-won']);
  return {
    ...nothingSaid,
    movements: [
      opened,
      {
        ...opened,
        id: `dispute:${id}:won`,
        kind: 'dispute_reversal',
        amount: back === undefined ? disputed : decimal(back, currency, 'amount-won'),
        day: dayOf(won?.['effective-date'] ?? said['date-won'] ?? said['updated-at'], 'date of the win'),
        dayAsFirstSaid: true,
        description: `Braintree dispute ${id} won`,
      },
    ],
  };
}
