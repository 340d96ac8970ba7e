import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { announcement, event } from '../events.ts';
import { holdAll } from '../allocations/difference.ts';
import { type Allocation, carryOut } from '../allocations/make.ts';
import { allocationInput, placesOf, plan } from '../allocations/plan.ts';
import { activeParty, type Party } from '../parties/party.ts';
import { contentOf } from '../contents.ts';
import { numberOf } from '../documents/kind.ts';
import { booksFail, invalidAt, refuseAt } from '../errors.ts';
import { accountIds } from '../journal/read-lines.ts';
import { post, type Posted } from '../journal/post.ts';
import { amountFault, expectCurrency, positiveAmount } from '../money/read.ts';
import { amountText, currencyCode, dayText, rateText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { valuation } from '../rates/find.ts';
import { convert, formatRate, readRate, type Rate } from '../rates/rate.ts';
import { controlAccount, controlAccounts } from '../subledger/control.ts';
import { beginning, lockItems, type NewItem } from '../subledger/items.ts';
import { callerKey, claimKey } from '../subledger/key.ts';
import { nextNumber } from '../subledger/number.ts';
import { booked, shown } from '../subledger/shown.ts';
import type { Side } from '../subledger/side.ts';
import { isStorable } from '../text.ts';
import { payment, paymentDirection, paymentIn, paymentMethod } from './payment.ts';

/** A key of a caller's binds its members in this order. */
export const paymentInput = z.strictObject({
  direction: paymentDirection.meta({ description: 'received: money came in; made: money went out.' }),
  refund: z
    .boolean()
    .optional()
    .meta({ default: false, description: 'true: a refund, made to a customer or received from a supplier.' }),
  partyId: z.uuid().meta({ description: 'From service_list_parties.' }),
  account: z.string().min(1).max(40).meta({ description: 'Code or id of the bank, cash or card account.' }),
  date: dayText.meta({ description: 'Day the money moved, YYYY-MM-DD.' }),
  currency: currencyCode,
  amount: amountText,
  rate: rateText.optional(),
  reference: z.string().max(200).optional().meta({ description: 'As the bank shows it, such as an invoice number.' }),
  method: paymentMethod
    .optional()
    .meta({ description: 'Default: transfer. Card and network payments are not on Forms 1099.' }),
  /** What it pays. What is left stays open as a credit of the party's. */
  allocations: z.array(allocationInput).max(100).optional(),
  /** The same key and content again answers with the payment that was recorded. */
  idempotencyKey: callerKey,
});
export type PaymentInput = Fixed<z.output<typeof paymentInput>>;
type NewPayment = Omit<PaymentInput, 'idempotencyKey'>;

const recorded = booked.extend({ payment: payment.answer });

/**
 * Records a payment and what it pays, all of it or nothing. It is in the currency of the documents it pays.
 * @throws Problem `invalid_request` (400), `not_found` (404), `invalid_amount`, `account_unusable`, `invalid_rate`, `rate_missing`, `over_allocated`, `not_matching`
 *   (422), `period_closed`, `party_archived`, `idempotency_conflict` (409)
 */
export const recordPayment = operation(
  {
    ...decides,
    area: 'sales',
    name: 'service_record_payment',
    input: paymentInput,
    answer: recorded,
    errors: {
      not_found: 'partyId',
      party_archived: 'partyId',
      not_matching: 'partyId',
      invalid_amount: 'amount',
      amount_too_large: 'amount',
      invalid_rate: 'rate',
      rate_missing: 'currency',
      account_unusable: null,
      over_allocated: 'allocations',
      period_closed: 'date',
      idempotency_conflict: 'idempotencyKey',
    },
  },
  async (scope, input) => {
    const { idempotencyKey, ...content } = input;
    return scope.write(async (tx) => {
      const claim =
        idempotencyKey === undefined
          ? { id: newId(), mine: true }
          : await claimKey(tx, 'payment', idempotencyKey, content);
      const { id } = claim;
      if (!claim.mine) {
        const known = await paymentIn(tx, id);
        return { payment: known, ...(await shown(tx, [known.entryId])) };
      }
      return recordIn(tx, id, content);
    });
  },
);

/**
 * Records a payment under an id that is new.
 * @throws Problem as `recordPayment`, but for `idempotency_conflict`
 */
export async function recordIn(
  tx: TenantTransaction,
  id: string,
  input: NewPayment,
): Promise<Fixed<z.output<typeof recorded>>> {
  const { context } = tx;
  const read = await readPayment(tx, input);
  const { side, control, amount, accountId, base } = read;
  const item: NewItem = {
    id,
    kind: 'payment',
    side,
    nature: (input.direction === 'received') === (side === 'receivable') ? 'credit' : 'charge',
    partyId: input.partyId.toLowerCase(),
    currency: input.currency,
    amount,
    base,
    date: input.date,
    dueDate: input.date,
  };
  const allocations = input.allocations ?? [];
  const items = await lockItems(
    tx,
    allocations.map(({ itemId }) => itemId),
    placesOf(allocations),
  );
  const planned = plan(items.set(id, beginning(item)), { id, date: input.date }, allocations);
  const sequence = await nextNumber(tx, 'payment');
  const movement = { currency: input.currency, day: input.date };
  await holdAll(tx, planned, [
    { accountId, ...movement },
    { accountId: control, ...movement },
  ]);
  const posted = await pay(tx, { id, number: numberOf('payment', sequence), input, read });
  // Opens the payment's item with it.
  await tx.query(sql`
      insert into accounting.payment (tenant_id, payment_id, number, direction, party_id, account_id, date, currency, amount, rate,
        base_amount, reference, method, entry_id)
      values (${context.tenant}::uuid, ${id}::uuid, ${sequence}::bigint, ${input.direction}, ${input.partyId}::uuid,
        ${accountId}::uuid, ${input.date}::date, ${input.currency}, ${amount}::bigint, ${formatRate(read.rate)}::numeric,
        ${base}::bigint, ${input.reference?.trim() ?? null}, ${input.method ?? 'transfer'},
        ${posted.id}::uuid)`);
  const made: Allocation[] = [];
  for (const one of planned) made.push(await carryOut(tx, one));
  const payment = await paymentIn(tx, id);
  const facts = {
    payment_id: id,
    number: payment.number,
    direction: input.direction,
    party_id: payment.partyId,
    account_id: accountId,
    amount: payment.amount.amount,
    currency: input.currency,
    entry_id: posted.id,
    allocations: made.map((one) => one.id),
  };
  tx.record(event('accounting.payment.recorded', { ...facts, content_sha256: await contentOf(tx, 'payment', id) }));
  tx.publish(announcement('accounting.payment.recorded', facts, { subject: id }));
  return { payment, ...(await shown(tx, [posted.id, ...made.flatMap(({ entryId }) => entryId ?? [])])) };
}

interface ReadPayment {
  readonly side: Side;
  readonly control: string;
  readonly accountId: string;
  readonly amount: bigint;
  readonly rate: Rate;
  /** The amount in the base currency at that rate, as it is going to be posted. */
  readonly base: bigint;
}

async function readPayment(tx: TenantTransaction, input: NewPayment): Promise<ReadPayment> {
  const { currency } = input;
  expectCurrency(currency);
  const amount = positiveAmount(input.amount, currency, '/amount');
  if (typeof amount !== 'bigint') throw amountFault(amount);
  const given = input.rate === undefined ? undefined : readRate(input.rate);
  if (!isStorable(input.reference ?? '', 200)) throw invalidAt('/reference', 'Give up to 200 characters.');
  if ((input.allocations?.length ?? 0) > 100)
    throw invalidAt('/allocations', 'Allocate the payment to 100 documents at most.');
  const side = (input.direction === 'received') === (input.refund !== true) ? 'receivable' : 'payable';
  const party = await activeParty(tx, input.partyId);
  if (!(side === 'receivable' ? party.customer : party.supplier))
    throw booksFail('not_matching', unfit(side, input, party));
  const accountId = await moneyAccount(tx, input.account, currency);
  const { baseCurrency, rate } = await valuation(tx, currency, input.date, given);
  const base = convert(amount, currency, baseCurrency, rate);
  return { side, control: controlAccount(await controlAccounts(tx), side), accountId, amount, rate, base };
}

/** Why a party is not paid so, or does not pay so: a payment the other way round is a refund. */
function unfit(side: Side, { direction, refund = false }: NewPayment, { customer, supplier }: Party): string {
  const [wanted, other] = side === 'receivable' ? ['customer', 'supplier'] : ['supplier', 'customer'];
  const mark = `mark it as a ${wanted} first`;
  if (!(side === 'receivable' ? supplier : customer)) return `The party is no ${wanted}: ${mark}.`;
  const way = direction === 'made' ? 'to' : 'from';
  const how = refund ? 'leave refund out' : `give refund: true for a refund ${way} a ${other}`;
  return `The party is a ${other} and no ${wanted}: ${how}, or ${mark}.`;
}

/**
 * Money is in accounts that are the platform's own for money, and in assets and liabilities that are for nothing else. One
 * in the base currency takes any currency at its rate, as a bank does; one in another holds that alone.
 */
async function moneyAccount(tx: TenantTransaction, name: string, currency: string): Promise<string> {
  const id = (await accountIds(tx, [name])).get(name);
  const [row] = await tx.query<{ fits: boolean; currency: string; holds: boolean }>(sql`
    select coalesce(a.control in ('bank', 'undeposited', 'clearing'), a.type in ('asset', 'liability')) as fits, a.currency,
      a.currency in (b.base_currency, ${currency}) as holds
    from accounting.account a join accounting.book b on b.tenant_id = a.tenant_id
    where a.tenant_id = ${tx.context.tenant}::uuid and a.account_id = ${id ?? null}::uuid`);
  if (id === undefined || row?.fits !== true)
    throw refuseAt(
      '/account',
      'account_unusable',
      `${name} is no bank, cash or card account in use: list the accounts and choose one.`,
    );
  if (!row.holds)
    throw refuseAt(
      '/account',
      'account_unusable',
      `${name} is in ${row.currency}, but the payment is in ${currency}: choose an account in ${currency} or in the base ` +
        'currency.',
    );
  return id;
}

async function pay(
  tx: TenantTransaction,
  { id, number, input, read }: { id: string; number: string; input: NewPayment; read: ReadPayment },
): Promise<Posted> {
  const { amount, accountId, control, rate } = read;
  const [to, from] = input.direction === 'received' ? [accountId, control] : [control, accountId];
  return post(tx, {
    date: input.date,
    currency: input.currency,
    rate,
    narration: `Payment ${number} ${input.direction}`,
    kind: 'payment',
    sourceId: id,
    lines: [
      { accountId: to, debit: amount },
      { accountId: from, credit: amount },
    ],
  });
}
