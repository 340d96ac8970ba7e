/** One line as accountants write it: exactly one of the two sides is given, in minor units above zero. */
export interface Line {
  readonly accountId: string;
  readonly debit?: bigint | undefined;
  readonly credit?: bigint | undefined;
  readonly memo?: string | undefined;
}

/** As the ledger keeps it: money moves from the credited account to the debited one. */
export interface Posting {
  readonly debit: string;
  readonly credit: string;
  readonly amount: bigint;
  readonly debitMemo: string | null;
  readonly creditMemo: string | null;
}

interface Side {
  readonly accountId: string;
  readonly memo: string | null;
  amount: bigint;
}

/**
 * Pairs the sides of a balanced set of lines in their order: each posting takes the smaller of what is left on either
 * side, so that n debits and m credits make at most n + m − 1 postings, and the sums of every account stay.
 * An account on both sides is netted first, since money does not move from an account to itself.
 * @returns undefined where the sides differ, or nothing is left to post
 */
export function pair(lines: readonly Line[]): Posting[] | undefined {
  const debits: Side[] = [];
  const credits: Side[] = [];
  for (const own of Map.groupBy(lines, ({ accountId }) => accountId).values()) {
    for (const { accountId, amount, memo } of sidesOf(own)) {
      if (amount > 0n) debits.push({ accountId, memo, amount });
      if (amount < 0n) credits.push({ accountId, memo, amount: -amount });
    }
  }
  const sum = (sides: readonly Side[]): bigint => sides.reduce((total, { amount }) => total + amount, 0n);
  if (debits.length === 0 || sum(debits) !== sum(credits)) return undefined;
  const postings: Posting[] = [];
  let from = credits.shift();
  for (let to = debits.shift(); to !== undefined && from !== undefined;) {
    const amount = to.amount < from.amount ? to.amount : from.amount;
    postings.push({ debit: to.accountId, credit: from.accountId, amount, debitMemo: to.memo, creditMemo: from.memo });
    to.amount -= amount;
    from.amount -= amount;
    if (from.amount === 0n) from = credits.shift();
    if (to.amount === 0n) to = debits.shift();
  }
  return postings;
}

/** The lines of one account: as they are where they are of one side, their net where they are of both. */
function sidesOf(lines: readonly Line[]): Side[] {
  const sides = lines.map(({ accountId, debit = 0n, credit = 0n, memo }) => ({
    accountId,
    memo: memo ?? null,
    amount: debit - credit,
  }));
  const [first] = sides;
  const mixed = sides.some(({ amount }) => amount > 0n) && sides.some(({ amount }) => amount < 0n);
  if (!mixed || first === undefined) return sides;
  return [{ ...first, amount: sides.reduce((total, { amount }) => total + amount, 0n) }];
}
