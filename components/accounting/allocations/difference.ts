import { sql, type TenantTransaction } from '@steward/sql';
import { type Movement, holdBalances } from '../subledger/hold.ts';
import { controlAccount, controlAccounts, debited } from '../subledger/control.ts';
import { post } from '../journal/post.ts';
import type { Planned } from './plan.ts';

/** Of receivables, a credit worth more than what it pays is a gain; of payables a loss. The control account moves with it. */
const moved = ({ charge, creditBase, chargeBase }: Planned): bigint =>
  charge.side === 'receivable' ? creditBase - chargeBase : chargeBase - creditBase;

const baseCurrency = async (tx: TenantTransaction): Promise<string> => {
  const [book] = await tx.query<{ base_currency: string }>(sql`select base_currency from accounting.book`);
  return book?.base_currency ?? '';
};

/**
 * Where more than one entry is going to be posted, holds every balance they move, so that no other entry waits for one of
 * them crosswise.
 * @param others what is posted beside the exchange differences
 */
export async function holdAll(
  tx: TenantTransaction,
  planned: readonly Planned[],
  others: readonly Movement[] = [],
): Promise<void> {
  const differing = planned.filter((one) => moved(one) !== 0n);
  if (differing.length + others.length < 2 || differing.length === 0) return;
  const controls = await controlAccounts(tx);
  const currency = await baseCurrency(tx);
  await holdBalances(tx, [
    ...others,
    ...differing.flatMap(({ charge, date }) =>
      [charge.side, 'exchange_difference'].map((control) => ({
        accountId: controlAccount(controls, control),
        currency,
        day: date,
      })),
    ),
  ]);
}

/** The entry of the gain or loss on exchange in the base currency; undefined where there is none. */
export async function postDifference(tx: TenantTransaction, id: string, planned: Planned): Promise<string | undefined> {
  const amount = moved(planned);
  if (amount === 0n) return undefined;
  const controls = await controlAccounts(tx);
  const posted = await post(tx, {
    date: planned.date,
    currency: await baseCurrency(tx),
    narration: 'Exchange difference on a settlement',
    kind: 'exchange',
    sourceId: id,
    lines: [
      ...debited(controlAccount(controls, planned.charge.side), amount),
      ...debited(controlAccount(controls, 'exchange_difference'), -amount),
    ],
  });
  return posted.id;
}
