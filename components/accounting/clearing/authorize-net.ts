import { NeverApplies } from '@steward/callbacks';
import { dictionary } from '@steward/kernel';
import type { MovementKind } from '../feeds/movement.ts';
import { type Api, type ClearingProvider, type Connection, secretOf, segment } from './provider.ts';
import { dayOf, decimal, listOf, type Members, membersOf, required, textOf, UnexpectedAnswer } from './read.ts';
import { nothingSaid, type Said, type SaidMovement } from './said.ts';

/** Statuses of transactions whose money is, or is going to be, in the merchant's account. */
const counts = dictionary<'charge' | 'refund'>({
  capturedPendingSettlement: 'charge',
  settledSuccessfully: 'charge',
  refundPendingSettlement: 'refund',
  refundSettledSuccessfully: 'refund',
});
/** What comes back of a settled transaction in a later batch, perhaps under its id. */
const returns = dictionary<{ readonly kind: MovementKind; readonly sign: 1n | -1n }>({
  chargeback: { kind: 'dispute', sign: -1n },
  returnedItem: { kind: 'dispute', sign: -1n },
  chargebackReversal: { kind: 'dispute_reversal', sign: 1n },
});
const gone = new Set(['voided', 'declined', 'expired', 'generalError', 'settlementError', 'couldNotVoid']);
const pageSize = 1_000;
/** Of a batch at most: fifty thousand transactions. */
const mostPages = 50;

/**
 * Authorize.Net. It is a gateway: it knows what was captured, given back, voided, disputed and settled. Fees are the acquiring bank's: what its deposit is less than
 * the batch. A capture counts when it is made and is taken back where it is voided. Nobody tells of a settlement, so with each event some that are
 * not known to be settled yet are asked again, and the batch of one that is says its transactions. Its answers name no currency: the connection does.
 */
export const authorizeNetClearing = (api: Api): ClearingProvider => ({
  name: 'authorizenet',
  title: 'Authorize.Net',
  credentials: { apiLoginId: 'API login id.', transactionKey: 'Transaction key.' },
  settings: { currency: 'Optional. Currency of the merchant account, which is USD unless you say otherwise.' },
  topics: [
    'net.authorize.payment.authcapture.created',
    'net.authorize.payment.capture.created',
    'net.authorize.payment.priorAuthCapture.created',
    'net.authorize.payment.refund.created',
    'net.authorize.payment.void.created',
    'net.authorize.payment.fraud.approved',
    'net.authorize.payment.fraud.declined',
  ],
  say: async (connection, delivery, signal, unpaid) => {
    const ask = asker(api, connection, signal);
    const currency = connection.settings['currency'] ?? 'USD';
    const transId = segment(membersOf(delivery.data['payload'])['id'], /^\d{1,30}$/);
    const said = [read(await transaction(ask, transId), currency)];
    const batches = new Set<string>();
    for (const id of await unpaid(delivery.receivedAt.slice(0, 10))) {
      const one = await transaction(ask, id).catch((error: unknown) => {
        // What the account no longer has is not what this event is about.
        if (!(error instanceof NeverApplies)) throw error;
        return undefined;
      });
      if (one === undefined) continue;
      const { batchId, settlementState } = membersOf(one['batch']);
      if (textOf(batchId) === undefined || settlementState !== 'settledSuccessfully') said.push(read(one, currency));
      else if (!batches.has(String(batchId))) said.push(await batch(ask, membersOf(one['batch']), currency));
      batches.add(String(batchId));
    }
    return {
      // What is part of a batch is said with it.
      movements: said
        .flatMap(({ movements }) => movements)
        .toSorted((a, b) => Number(a.payoutId != null) - Number(b.payoutId != null)),
      payouts: said.flatMap(({ payouts }) => payouts),
      gone: said.flatMap((one) => one.gone ?? []),
    };
  },
});

type Ask = (request: string, what: object) => Promise<Members>;

function asker(api: Api, connection: Connection, signal: AbortSignal): Ask {
  const client = api.of(connection);
  return async (request, what) => {
    const merchantAuthentication = {
      name: secretOf(connection, 'apiLoginId'),
      transactionKey: secretOf(connection, 'transactionKey'),
    };
    // Its JSON is read as XML with an order.
    const body = { [request]: { merchantAuthentication, ...what } };
    const said = membersOf((await client.call('POST', '/xml/v1/request.api', { body, signal })).body);
    const messages = membersOf(said['messages']);
    const [message] = listOf(messages['message']);
    // It refuses with 200. E00040: there is no such record.
    if (message?.['code'] === 'E00040') throw new NeverApplies('the provider has no such transaction in this account');
    if (messages['resultCode'] !== 'Ok')
      throw new UnexpectedAnswer(`Authorize.Net refuses: ${textOf(message?.['code']) ?? 'without a code'}`);
    return said;
  };
}

const transaction = async (ask: Ask, transId: string): Promise<Members> =>
  membersOf((await ask('getTransactionDetailsRequest', { transId }))['transaction']);

function read(said: Members, currency: string): Said {
  const id = required(said['transId'], 'transId');
  const status = textOf(said['transactionStatus']) ?? '';
  if (gone.has(status)) return { ...nothingSaid, gone: [id] };
  const reference = textOf(membersOf(said['order'])['invoiceNumber']) ?? null;
  return { ...nothingSaid, movements: moved(said, { currency, reference }) };
}

function moved(
  said: Members,
  { currency, reference }: { readonly currency: string; readonly reference: string | null },
): readonly SaidMovement[] {
  const id = required(said['transId'], 'transId');
  const status = textOf(said['transactionStatus']) ?? '';
  const kind = counts[status] ?? returns[status]?.kind;
  if (kind === undefined) return [];
  const amount = decimal(said['settleAmount'] ?? said['authAmount'], currency, 'settleAmount');
  const back = returns[status];
  return [
    {
      id: back === undefined ? id : `${id}:${status}`,
      kind,
      currency,
      amount: back === undefined ? (kind === 'charge' ? amount : -amount) : back.sign * amount,
      day: dayOf(said['submitTimeUTC'], 'submitTimeUTC'),
      description: `Authorize.Net ${kind.replaceAll('_', ' ')} ${id}`,
      reference,
    },
  ];
}

/** A batch is what goes to the acquiring bank at once. */
async function batch(ask: Ask, said: Members, currency: string): Promise<Said> {
  const id = segment(said['batchId'], /^\d{1,30}$/);
  const day = dayOf(said['settlementTimeUTC'], 'settlementTimeUTC');
  const parts: SaidMovement[] = [];
  for (let page = 1; ; page += 1) {
    if (page > mostPages) throw new NeverApplies('the provider lists too many transactions of one batch');
    const listed = await ask('getTransactionListRequest', {
      batchId: id,
      sorting: { orderBy: 'id', orderDescending: false },
      paging: { limit: pageSize, offset: page },
    });
    const transactions = listOf(listed['transactions']);
    for (const one of transactions)
      parts.push(...moved(one, { currency, reference: textOf(one['invoiceNumber']) ?? null }));
    if (transactions.length < pageSize) break;
  }
  const amount = parts.reduce((sum, one) => sum + one.amount, 0n);
  const payout = { id, currency, amount, day, status: 'paid', itemized: true, complete: true } as const;
  return {
    movements: [
      ...parts.map((one) => ({ ...one, payoutId: id })),
      { id: `batch:${id}`, kind: 'payout', currency, amount: -amount, day, description: `Authorize.Net payout ${id}` },
    ],
    payouts: [payout],
  };
}
