import { formatAmount, money, type Money, newId, parseAmount } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { post } from '../journal/post.ts';
import { controlAccount, controlAccounts, debited } from '../subledger/control.ts';
import { holdMonth } from '../subledger/hold-month.ts';
import { type Item, moveItem } from '../subledger/items.ts';
import { divideRounded } from '../taxes/percentage.ts';

/** Part of a credit (a payment, a credit note) that pays part of a charge (an invoice, a bill, a refund). */
export interface Allocation {
  readonly id: string;
  readonly creditId: string;
  readonly chargeId: string;
  /** The day asked for, or the latest on which anything happened to either. */
  readonly date: string;
  readonly amount: Money;
  /** The entry of the gain or loss on exchange; null where there is none. */
  readonly entryId: string | null;
}

/** One of the two is named by the verb, the other by this. */
export interface AllocationInput {
  /** The document or payment to be set against. */
  readonly itemId: string;
  readonly amount: string;
}

/** What goes of an item's base amount with part of it: in proportion, and with the last of it all that is left. */
export const portion = ({ open, openBase }: Pick<Item, 'open' | 'openBase'>, amount: bigint): bigint =>
  amount === open ? openBase : divideRounded(openBase * amount, open);

const later = (...days: readonly string[]): string => days.reduce((latest, day) => (day > latest ? day : latest));

/** @throws Problem `invalid_amount`, `over_allocated`, `not_matching` (422) */
export function checkMatch(credit: Item, charge: Item, text: string): bigint {
  const amount = parseAmount(text, charge.currency);
  if (amount === undefined || amount <= 0n)
    throw booksFail('invalid_amount', `${text} is no amount above zero with the digits of ${charge.currency}.`);
  if (credit.nature !== 'credit' || charge.nature !== 'charge')
    throw booksFail(
      'not_matching',
      'A payment received or a credit note is set against invoices and refunds of the same customer; a payment made or a ' +
        'supplier credit against bills and refunds of the same supplier.',
    );
  if (credit.side !== charge.side || credit.partyId !== charge.partyId)
    throw booksFail('not_matching', 'The two are not of one customer, or not of one supplier.');
  if (credit.currency !== charge.currency)
    throw booksFail(
      'not_matching',
      `One is in ${credit.currency}, the other in ${charge.currency}: record the payment in ${charge.currency}.`,
    );
  for (const { id, open, voidOn } of [charge, credit])
    if (amount > open)
      throw booksFail(
        'over_allocated',
        voidOn === null
          ? `Of ${id} ${formatAmount(open, charge.currency)} ${charge.currency} is open: allocate no more than that.`
          : `${id} is void.`,
      );
  return amount;
}

/**
 * Sets part of a credit against a charge; both are locked. Where their rates differ, the gain or loss on exchange is
 * posted in the base currency, so that the control account holds what the open items hold.
 */
export async function allocate(
  tx: TenantTransaction,
  pair: { readonly credit: Item; readonly charge: Item },
  asked: { readonly amount: string; readonly date: string },
): Promise<{ readonly allocation: Allocation; readonly credit: Item; readonly charge: Item }> {
  const { credit, charge } = pair;
  const amount = checkMatch(credit, charge, asked.amount);
  const date = later(asked.date, credit.movedOn, charge.movedOn);
  const creditBase = portion(credit, amount);
  const chargeBase = portion(charge, amount);
  const id = newId();
  const entryId = await postDifference(tx, { id, date, item: charge, gain: creditBase - chargeBase });
  await tx.query(sql`
    insert into accounting.allocation (tenant_id, allocation_id, credit_id, charge_id, date, amount, credit_base, charge_base, entry_id)
    values (${tx.context.tenant}::uuid, ${id}::uuid, ${credit.id}::uuid, ${charge.id}::uuid, ${date}::date, ${amount}::bigint,
      ${creditBase}::bigint, ${chargeBase}::bigint, ${entryId}::uuid)`);
  const left = { open: credit.open - amount, openBase: credit.openBase - creditBase, date };
  const after = {
    credit: await moveItem(tx, credit, left),
    charge: await moveItem(tx, charge, { open: charge.open - amount, openBase: charge.openBase - chargeBase, date }),
  };
  const facts = {
    allocation_id: id,
    credit_id: credit.id,
    charge_id: charge.id,
    date,
    amount: formatAmount(amount, charge.currency),
    currency: charge.currency,
    ...(entryId === null ? {} : { entry_id: entryId }),
  };
  tx.record({
    type: 'accounting.allocation.made',
    eventVersion: '1.0.0',
    grammar: 'accounting',
    source: 'accounting',
    payload: facts,
  });
  tx.publish({ type: 'accounting.allocation.made', source: 'accounting', subject: id, data: facts });
  const money_ = money(amount, charge.currency);
  return { allocation: { id, creditId: credit.id, chargeId: charge.id, date, amount: money_, entryId }, ...after };
}

/**
 * Of receivables, a credit worth more than what it pays is a gain; of payables a loss. Either way the control account is
 * moved by the difference.
 */
async function postDifference(
  tx: TenantTransaction,
  { id, date, item, gain }: { id: string; date: string; item: Item; gain: bigint },
): Promise<string | null> {
  if (gain === 0n) {
    await holdMonth(tx, date);
    return null;
  }
  const controls = await controlAccounts(tx);
  const moved = item.side === 'receivable' ? gain : -gain;
  const [book] = await tx.query<{ base_currency: string }>(sql`select base_currency from accounting.book`);
  const posted = await post(tx, {
    date,
    currency: book?.base_currency ?? '',
    narration: 'Exchange difference on a settlement',
    kind: 'exchange',
    sourceId: id,
    lines: [
      ...debited(controlAccount(controls, item.side), moved),
      ...debited(controlAccount(controls, 'exchange_difference'), -moved),
    ],
  });
  return posted.id;
}
