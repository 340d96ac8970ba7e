import { currencyOfBooks, recordWithEffects } from '@steward/accounting';
import { money } from '@steward/kernel';
import { orderIn } from '@steward/orders';
import { costsOf, type MovedCost } from '@steward/stock';
import { bookkeepingFail } from '../errors.ts';
import type { PostingProfile } from '../profile/profile.ts';
import { accountOf } from './account.ts';
import type { CostWork, Outcome } from './work.ts';

/**
 * What goods cost that were moved, as their movements say: from inventory to the cost of sales, or to shrinkage where they were lost, and back where
 * they came back or were found.
 * @throws Problem `posting_account_missing`, `people_post` (409), and whatever the books refuse
 */
export async function cost({ tx, context, profile, own, people, date }: CostWork): Promise<Outcome> {
  const moved = (await costsOf(tx, [own.sourceId])).get(own.sourceId);
  if (moved === undefined || !isOwed(moved)) return { state: 'left_out', reason: 'no_amount' };
  if (!people && profile.mode === 'off') return { state: 'left_out', reason: 'profile_off' };
  const sides = sidesOf(moved, profile);
  if (sides.length === 0) return { state: 'left_out', reason: 'no_amount' };
  if (!people && profile.mode !== 'post')
    throw bookkeepingFail(
      'people_post',
      'The posting profile lets nothing be posted by itself: put it into the books, or set the mode `post`.',
    );
  const currency = await currencyOfBooks(tx);
  const number = own.orderId === null ? undefined : (await orderIn(tx, own.orderId))?.number;
  const { entry, effects } = await recordWithEffects(context, {
    date: date ?? moved.day,
    currency,
    narration: narrationOf(moved) + (number === undefined ? '' : `, order ${number}`),
    lines: sides.map(({ account, debit }) => ({
      account,
      [debit > 0n ? 'debit' : 'credit']: money(debit > 0n ? debit : -debit, currency).amount,
    })),
    // What was moved for a source is posted once, whatever rows say.
    idempotencyKey: `cost of goods ${own.sourceId}`,
  });
  return { state: 'posted', entryId: entry.id, booked: { entries: [entry], effects } };
}

/** A receipt costs nothing that was not sold before it came, and a gift costs nothing: neither owes the books anything. */
export const isOwed = ({ sold, lost }: MovedCost): boolean => sold !== 0n || lost !== 0n;

interface Side {
  readonly account: string;
  /** Below 0: a credit. */
  readonly debit: bigint;
}

/** Each account once. @throws Problem `posting_account_missing` (409) */
function sidesOf({ sold, lost }: MovedCost, profile: PostingProfile): Side[] {
  const sums = new Map([[accountOf(profile, 'inventoryAccount'), -sold - lost]]);
  const add = (account: string, debit: bigint): unknown => sums.set(account, (sums.get(account) ?? 0n) + debit);
  if (sold !== 0n) add(accountOf(profile, 'costOfSalesAccount'), sold);
  if (lost !== 0n) add(accountOf(profile, 'shrinkageAccount'), lost);
  return [...sums].map(([account, debit]) => ({ account, debit })).filter(({ debit }) => debit !== 0n);
}

function narrationOf({ sourceKind, sold, lost }: MovedCost): string {
  if (lost !== 0n) return sold === 0n && lost > 0n ? 'Inventory written off' : 'Inventory adjusted';
  if (sourceKind === 'change') return 'Cost of goods sold before they came';
  return sold > 0n ? 'Cost of goods sold' : 'Cost of goods that came back';
}
