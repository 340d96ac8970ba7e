import { NeverApplies } from '@steward/callbacks';
import type { MovementKind } from '../feeds/movement.ts';
import { type Api, type ClearingProvider, type Connection, found, secretOf, segment } from './provider.ts';
import { dayOf, integer, listOf, type Members, membersOf, required, textOf, UnexpectedAnswer } from './read.ts';
import { nothingSaid, type PayoutStatus, type Said, type SaidMovement } from './said.ts';

const version = '2025-09-24';
const mostPages = 500;

/** Square. A fee may be known only days after its payment: then it is said with it, or with the payout. */
export const squareClearing = (api: Api): ClearingProvider => ({
  name: 'square',
  title: 'Square',
  credentials: { accessToken: 'Access token that may read payments and payouts.' },
  topics: [
    'payment.created',
    'payment.updated',
    'refund.created',
    'refund.updated',
    'dispute.created',
    'dispute.state.updated',
    'payout.sent',
    'payout.paid',
    'payout.failed',
  ],
  say: async (connection, delivery, signal) => {
    const ask = asker(api, connection, signal);
    const id = segment(membersOf(delivery.data['data'])['id'], /^[A-Za-z0-9_-]{1,192}$/);
    if (delivery.topic.startsWith('payment.')) return payment(membersOf((await ask(`/v2/payments/${id}`))['payment']));
    if (delivery.topic.startsWith('refund.')) return refund(membersOf((await ask(`/v2/refunds/${id}`))['refund']));
    if (delivery.topic.startsWith('dispute.')) return dispute(membersOf((await ask(`/v2/disputes/${id}`))['dispute']));
    return payout(ask, id);
  },
});

type Ask = (path: string, query?: Readonly<Record<string, string>>) => Promise<Members>;

function asker(api: Api, connection: Connection, signal: AbortSignal): Ask {
  const client = api.of(connection);
  const headers = { authorization: `Bearer ${secretOf(connection, 'accessToken')}`, 'square-version': version };
  return async (path, query = {}) =>
    membersOf((await found(client.call('GET', path, { query, headers, signal }))).body);
}

function payment(said: Members): Said {
  if (said['status'] !== 'COMPLETED') return nothingSaid;
  const id = required(said['id'], 'id');
  const common = {
    day: dayOf(said['created_at'], 'created_at'),
    reference: textOf(said['reference_id']) ?? null,
  };
  const total = money(said['total_money'], 'total_money');
  return {
    ...nothingSaid,
    movements: [
      { ...common, ...total, id, kind: 'charge', description: `Square charge ${id}` },
      ...feeOf(said, id, common.day),
    ],
  };
}

function refund(said: Members): Said {
  if (said['status'] !== 'COMPLETED') return nothingSaid;
  const id = required(said['id'], 'id');
  const day = dayOf(said['created_at'], 'created_at');
  const given = money(said['amount_money'], 'amount_money');
  return {
    ...nothingSaid,
    movements: [
      { ...given, amount: -given.amount, id, day, kind: 'refund', description: `Square refund ${id}` },
      ...feeOf(said, id, day),
    ],
  };
}

/** Square keeps the amount back until it is decided, but not for an inquiry. https://developer.squareup.com/docs/disputes-api/overview */
function dispute(said: Members): Said {
  const id = required(said['id'] ?? said['dispute_id'], 'id');
  const state = required(said['state'], 'state');
  if (state.startsWith('INQUIRY')) return nothingSaid;
  const held = money(said['amount_money'], 'amount_money');
  const common = { ...held, day: dayOf(said['created_at'], 'created_at'), dayAsFirstSaid: true };
  const taken: SaidMovement = {
    ...common,
    id: disputed(id, false),
    kind: 'dispute',
    amount: -held.amount,
    description: `Square dispute ${id}`,
  };
  const back: SaidMovement = {
    ...common,
    id: disputed(id, true),
    kind: 'dispute_reversal',
    day: dayOf(said['updated_at'], 'updated_at'),
    description: `Square dispute ${id} won`,
  };
  return { ...nothingSaid, movements: state === 'WON' ? [taken, back] : [taken] };
}

const disputed = (id: string, isBack: boolean): string => `dispute:${id}${isBack ? ':won' : ''}`;

/** All that Square kept of one payment, or gave back of a refund. */
function feeOf(said: Members, id: string, day: string): readonly SaidMovement[] {
  const fees = listOf(said['processing_fee']).map((one) => money(one['amount_money'], 'processing_fee'));
  const [first] = fees;
  if (first === undefined) return [];
  const amount = -fees.reduce((sum, one) => sum + one.amount, 0n);
  return [{ id: `${id}:fee`, kind: 'fee', day, currency: first.currency, amount, description: `Square fee ${id}` }];
}

async function payout(ask: Ask, id: string): Promise<Said> {
  const said = membersOf((await ask(`/v2/payouts/${id}`))['payout']);
  const own = required(said['id'], 'id');
  const total = money(said['amount_money'], 'amount_money');
  const day = dayOf(said['created_at'], 'created_at');
  const status = statusOf(said['status']);
  const movements: SaidMovement[] = [
    { ...total, amount: -total.amount, id: own, day, kind: 'payout', description: `Square payout ${own}` },
  ];
  if (status === 'failed')
    movements.push({
      ...total,
      id: `${own}:failed`,
      day,
      kind: 'payout_reversal',
      description: `Square payout ${own} failed`,
    });
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    if (page === mostPages) throw new NeverApplies('the provider lists too many entries of one payout');
    const listed = await ask(`/v2/payouts/${id}/payout-entries`, {
      limit: '100',
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const entry of listOf(listed['payout_entries'])) movements.push(...part(entry, own));
    const next = typeof listed['cursor'] === 'string' && listed['cursor'] !== '' ? listed['cursor'] : undefined;
    if (next === undefined) break;
    if (next === cursor) throw new UnexpectedAnswer('the provider’s list does not go on');
    cursor = next;
  }
  const arrival = textOf(said['arrival_date']);
  return {
    movements,
    payouts: [
      {
        ...total,
        id: own,
        day: arrival === undefined ? day : dayOf(arrival, 'arrival_date'),
        status,
        itemized: true,
        complete: true,
      },
    ],
  };
}

/** An entry of a payout: of a payment or refund under its id, so that it is the movement that its own event tells of. */
function part(entry: Members, payoutId: string): readonly SaidMovement[] {
  const payments = textOf(membersOf(entry['type_charge_details'])['payment_id']);
  const refunds = textOf(membersOf(entry['type_refund_details'])['refund_id']);
  const disputes = textOf(membersOf(entry['type_dispute_details'])['dispute_id']);
  const gross = money(entry['gross_amount_money'], 'gross_amount_money');
  const fee = money(entry['fee_amount_money'], 'fee_amount_money');
  const isBack = gross.amount > 0n;
  const id =
    payments ??
    refunds ??
    (disputes === undefined ? required(entry['id'], 'id of an entry') : disputed(disputes, isBack));
  const kind: MovementKind =
    payments !== undefined
      ? 'charge'
      : refunds !== undefined
        ? 'refund'
        : disputes === undefined
          ? 'adjustment'
          : isBack
            ? 'dispute_reversal'
            : 'dispute';
  const day = dayOf(entry['effective_at'], 'effective_at');
  const words =
    kind === 'adjustment'
      ? (textOf(entry['type']) ?? 'adjustment').toLowerCase().replaceAll('_', ' ')
      : kind.replaceAll('_', ' ');
  return [
    {
      ...gross,
      id,
      kind,
      day,
      dayAsFirstSaid: disputes !== undefined,
      payoutId,
      description:
        disputes === undefined ? `Square ${words} ${id}` : `Square dispute ${disputes}${isBack ? ' won' : ''}`,
    },
    { ...fee, amount: -fee.amount, id: `${id}:fee`, kind: 'fee', day, payoutId, description: `Square fee ${id}` },
  ];
}

function statusOf(status: unknown): PayoutStatus {
  if (status === 'SENT') return 'in_transit';
  if (status === 'PAID') return 'paid';
  if (status === 'FAILED') return 'failed';
  throw new UnexpectedAnswer('the provider’s answer has no known status of a payout');
}

function money(said: unknown, what: string): { readonly currency: string; readonly amount: bigint } {
  const { amount, currency } = membersOf(said);
  return { currency: required(currency, `currency of ${what}`), amount: integer(amount, what) };
}
