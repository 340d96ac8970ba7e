import { currencyOfBooks, recordWithEffects, worth } from '@steward/accounting';
import { money, parseAmount } from '@steward/kernel';
import { orderIn, type Order } from '@steward/orders';
import type { TenantTransaction } from '@steward/sql';
import { costsOf, type MovedCost } from '@steward/stock';
import { bookkeepingFail } from '../errors.ts';
import type { ProfileAccounts } from '../profile/profile.ts';
import { accountOf } from './account.ts';
import type { Posting } from './posting.ts';
import type { CostWork, Outcome } from './work.ts';

/**
 * What goods cost that were moved, as their movements say: from inventory to the cost of sales, or to shrinkage where they were lost, and back where
 * they came back or were found. What goods cost is said by whoever receives them, agents too, and no person looks at that; so nothing is posted by itself but
 * the cost of an order's goods up to what these were sold for, and of what comes back of them.
 * @throws Problem `posting_account_missing`, `people_post` (409), and whatever the books refuse
 */
export async function cost({ tx, context, profile, own, all, people, date }: CostWork): Promise<Outcome> {
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
  const order = own.orderId === null ? undefined : await orderIn(tx, own.orderId);
  if (!people && !(await isWithinSales(tx, [own, ...all.filter(({ id }) => id < own.id)], moved, order, currency)))
    throw bookkeepingFail(
      'people_post',
      moved.lost === 0n && order !== undefined
        ? 'These goods cost more than they were sold for: see whether their cost is right, then put it into the books.'
        : 'No sale says what these goods are worth: see whether their cost is right, then put it into the books.',
    );
  const number = order?.number;
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

/**
 * Whether all that the goods of an order cost so far is at most what they were sold for, without tax and shipping.
 * @param all of the order, up to this one
 */
async function isWithinSales(
  tx: TenantTransaction,
  all: readonly Posting[],
  { sold, lost }: MovedCost,
  order: Order | undefined,
  base: string,
): Promise<boolean> {
  if (order === undefined || lost !== 0n) return false;
  if (sold <= 0n) return true;
  const lines = order.lines.reduce((sum, { net }) => sum + (parseAmount(net.amount, net.currency) ?? 0n), 0n);
  const { currency } = order.total;
  const worthInBase = currency === base ? lines : (await worth(tx, { currency, minor: lines }))?.minor;
  const costs = await costsOf(
    tx,
    all.filter(({ kind }) => kind === 'cost').map(({ sourceId }) => sourceId),
  );
  const spent = [...costs.values()].reduce((sum, one) => sum + one.sold, 0n);
  return worthInBase !== undefined && spent <= worthInBase;
}

/** A receipt costs nothing that was not sold before it came, and a gift costs nothing: neither owes the books anything. */
export const isOwed = ({ sold, lost }: MovedCost): boolean => sold !== 0n || lost !== 0n;

interface Side {
  readonly account: string;
  /** Below 0: a credit. */
  readonly debit: bigint;
}

/** Each account once. @throws Problem `posting_account_missing` (409) */
function sidesOf({ sold, lost }: MovedCost, profile: ProfileAccounts): Side[] {
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
