import { BoundedMap, type ProviderClient } from '@steward/kernel';
import { createHash } from 'node:crypto';
import { type Api, type ClearingProvider, type Connection, found, requireOwn, secretOf, segment } from './provider.ts';
import { dayOf, decimal, listOf, type Members, membersOf, required, textOf } from './read.ts';
import { nothingSaid, type Said, type SaidMovement } from './said.ts';

/**
 * PayPal. Its signature covers a checksum of the body, which is forged easily: what an event says is only where to look. It tells of no transfer to a
 * bank.
 */
export const paypalClearing = (api: Api): ClearingProvider => {
  const tokens = createTokens();
  return {
    name: 'paypal',
    title: 'PayPal',
    credentials: {
      clientId: 'Client id of the REST app.',
      clientSecret: 'Secret of the REST app.',
    },
    topics: [
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.REFUNDED',
      'PAYMENT.CAPTURE.REVERSED',
      'PAYMENT.REFUND.PENDING',
      'PAYMENT.REFUND.FAILED',
      'CUSTOMER.DISPUTE.CREATED',
      'CUSTOMER.DISPUTE.UPDATED',
      'CUSTOMER.DISPUTE.RESOLVED',
    ],
    say: async (connection, delivery, signal) => {
      const client = api.of(connection);
      const resource = membersOf(delivery.data['resource']);
      const isDispute = delivery.topic.startsWith('CUSTOMER.DISPUTE.');
      const id = segment(resource[isDispute ? 'dispute_id' : 'id']);
      const isRefund = delivery.data['resource_type'] === 'refund' || delivery.topic.startsWith('PAYMENT.REFUND.');
      const token = await tokens(client, connection, signal);
      const path = isDispute
        ? `/v1/customer/disputes/${id}`
        : isRefund
          ? `/v2/payments/refunds/${id}`
          : `/v2/payments/captures/${id}`;
      const headers = { authorization: `Bearer ${token}` };
      const said = membersOf((await found(client.call('GET', path, { headers, signal }))).body);
      // An app of a platform sees what others sell there.
      if (connection.account !== null) requireOwn(connection.account, sellersOf(said));
      if (isDispute) return dispute(said);
      if (!isRefund) return capture(said);
      return delivery.topic === 'PAYMENT.CAPTURE.REVERSED' ? reversal(said) : refund(said);
    },
  };
};

/** Of a capture its payee, of a refund who pays it, of a dispute whose transactions are disputed: by id and by address. */
const sellersOf = (said: Members): readonly string[] =>
  [said['payee'], said['payer'], ...listOf(said['disputed_transactions']).map(({ seller }) => seller)]
    .map(membersOf)
    .flatMap((one) => [one['merchant_id'], one['email_address'], one['email']])
    .flatMap((name) => textOf(name) ?? []);

/** Statuses of captures whose money came in, whatever was given back since. */
const captured = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);

function capture(said: Members): Said {
  if (!captured.has(textOf(said['status']) ?? '')) return nothingSaid;
  return moved(said, 'charge', membersOf(said['seller_receivable_breakdown']), 1n);
}

function refund(said: Members): Said {
  const id = required(said['id'], 'id');
  if (said['status'] !== 'COMPLETED') return { ...nothingSaid, gone: [id, `${id}:fee`] };
  return moved(said, 'refund', membersOf(said['seller_payable_breakdown']), -1n);
}

/** What PayPal took back of a capture, of which the dispute may tell too: it is one movement, by the capture. */
function reversal(said: Members): Said {
  const up = listOf(said['links']).find(({ rel }) => rel === 'up');
  const capture = /\/captures\/([A-Za-z0-9-]{1,100})$/.exec(textOf(up?.['href']) ?? '')?.[1];
  const { movements, ...rest } = refund(said);
  if (capture === undefined) return { ...rest, movements };
  const id = required(said['id'], 'id');
  return {
    ...rest,
    movements: movements.map((one) => ({
      ...one,
      ...(one.kind === 'refund' ? { kind: 'dispute', description: `PayPal dispute ${capture}` } : {}),
      id: one.id.replace(id, reversedOf(capture)),
      dayAsFirstSaid: true,
    })),
  };
}

const reversedOf = (capture: string): string => `${capture}:reversed`;

/** What the seller's account gave and got for a dispute. While the money is only held, nothing moved. */
function dispute(said: Members): Said {
  const id = required(said['dispute_id'], 'dispute_id');
  const transactions = listOf(said['disputed_transactions']);
  const capture = transactions.length === 1 ? textOf(transactions[0]?.['seller_transaction_id']) : undefined;
  const reference = textOf(transactions[0]?.['invoice_number']) ?? textOf(transactions[0]?.['custom']) ?? null;
  const common = { dayAsFirstSaid: true, description: `PayPal dispute ${id}`, reference };
  const taken = capture === undefined ? `${id}:settlement` : reversedOf(capture);
  const own = listOf(said['money_movements']).filter((one) => one['affected_party'] === 'SELLER');
  const seen = new Map<string, number>();
  const movements = own.map((one): SaidMovement => {
    const isTaken = required(one['type'], 'type of a movement') === 'DEBIT';
    const { currency, amount } = money(membersOf(one['amount']), 'amount');
    const reason = textOf(one['reason']) ?? '';
    const isFee = reason.endsWith('_FEE');
    const key = isFee ? `${id}:${reason}:${isTaken ? 'taken' : 'returned'}` : isTaken ? taken : `${id}:returned`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return {
      ...common,
      id: before === 0 ? key : `${key}:${before}`,
      kind: isFee ? 'fee' : isTaken ? 'dispute' : 'dispute_reversal',
      currency,
      amount: isTaken ? -amount : amount,
      day: dayOf(one['initiated_time'] ?? said['update_time'], 'initiated_time'),
      ...(isFee ? { description: `PayPal fee ${id}`, reference: null } : {}),
    };
  });
  const outcome = membersOf(said['dispute_outcome']);
  const refunded = membersOf(outcome['amount_refunded']);
  // Not every dispute lists what it moved; PayPal itself refunds where it protects the seller.
  const isLost = said['status'] === 'RESOLVED' && outcome['outcome_code'] === 'RESOLVED_BUYER_FAVOUR';
  if (own.length > 0 || !isLost || textOf(refunded['currency_code']) === undefined)
    return { ...nothingSaid, movements };
  const { currency, amount } = money(refunded, 'amount_refunded');
  const day = dayOf(said['update_time'], 'update_time');
  return { ...nothingSaid, movements: [{ ...common, id: taken, kind: 'dispute', currency, amount: -amount, day }] };
}

/** The whole amount, and what PayPal kept of it or gives back; in the account's own currency it is one movement, of what is left. */
function moved(said: Members, kind: 'charge' | 'refund', breakdown: Members, sign: 1n | -1n): Said {
  const id = required(said['id'], 'id');
  const common = {
    day: dayOf(said['create_time'], 'create_time'),
    reference: textOf(said['invoice_id']) ?? textOf(said['custom_id']) ?? null,
  };
  const converted = membersOf(breakdown['receivable_amount']);
  if (textOf(converted['currency_code']) !== undefined) {
    const { currency, amount } = money(converted, 'receivable_amount');
    return {
      ...nothingSaid,
      movements: [
        { ...common, id, kind, currency, amount: sign * amount, description: `PayPal ${kind} ${id}, converted` },
      ],
    };
  }
  const gross = money(membersOf(breakdown['gross_amount'] ?? said['amount']), 'gross_amount');
  const fees = [breakdown['paypal_fee'], ...listOf(breakdown['platform_fees']).map((one) => one['amount'])]
    .map(membersOf)
    .filter((one) => textOf(one['currency_code']) !== undefined)
    .map((one) => money(one, 'fee'));
  const fee = fees.reduce((sum, { amount }) => sum + amount, 0n);
  const movements: SaidMovement[] = [
    { ...common, id, kind, currency: gross.currency, amount: sign * gross.amount, description: `PayPal ${kind} ${id}` },
    {
      ...common,
      id: `${id}:fee`,
      kind: 'fee',
      currency: gross.currency,
      amount: -sign * fee,
      description: `PayPal fee ${id}`,
      reference: null,
    },
  ];
  return { ...nothingSaid, movements };
}

function money(said: Members, what: string): { readonly currency: string; readonly amount: bigint } {
  const currency = required(said['currency_code'], 'currency_code');
  return { currency, amount: decimal(said['value'], currency, what) };
}

/** Tokens of connections, until shortly before they end. */
function createTokens() {
  const known = new BoundedMap<string, { readonly token: string; readonly until: number }>(1_000);
  return async (client: ProviderClient, connection: Connection, signal: AbortSignal): Promise<string> => {
    const basic = Buffer.from(`${secretOf(connection, 'clientId')}:${secretOf(connection, 'clientSecret')}`).toString(
      'base64',
    );
    // Of these credentials: others were rotated away.
    const key = `${connection.id} ${createHash('sha256').update(basic).digest('base64url')}`;
    const kept = known.get(key);
    if (kept !== undefined && kept.until > performance.now()) return kept.token;
    const { body } = await client.call('POST', '/v1/oauth2/token', {
      form: { grant_type: 'client_credentials' },
      headers: { authorization: `Basic ${basic}` },
      signal,
    });
    const { access_token: token, expires_in: seconds } = membersOf(body);
    const fresh = { token: requiredToken(token), until: performance.now() + (Number(seconds) - 60) * 1000 };
    if (fresh.until > performance.now()) known.set(key, fresh);
    return fresh.token;
  };
}

function requiredToken(token: unknown): string {
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,4000}$/.test(token)) throw new Error('PayPal answered no token');
  return token;
}
