import { asItWas, operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { counted, formatAmount, money, newId, parseAmount } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { booksFail } from '../errors.ts';
import { signedAmount } from '../money/read.ts';
import { amountText, dayText } from '../money/schema.ts';
import { closes, reads } from '../operations.ts';
import { type Asker, bankAccount, type BankAccount, bankAccountName } from './account.ts';

const reconciliation = z.object({
  account: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  opening: moneyShape,
  closing: moneyShape,
  /** Closing less opening less the lines between: zero, or the statement is not whole. */
  difference: moneyShape,
  /** Lines up to the day of which a part is not explained. */
  unmatchedLines: z.int(),
  /** What the books hold on the day, and what of it the bank has not seen yet. */
  bookBalance: moneyShape,
  outstanding: moneyShape,
  completed: z.boolean(),
});
export type Reconciliation = Fixed<z.output<typeof reconciliation>>;

const input = z.strictObject({
  account: bankAccountName,
  to: dayText,
  closing: amountText.meta({
    description:
      'Closing balance of the bank statement on that day, with the digits of its currency, such as "1000.00".',
  }),
  /** Later ones begin where the last one ended. */
  opening: amountText.optional().meta({
    description: 'Opening balance of the statement, for the first reconciliation. Default: by opening entries.',
  }),
});
export type ReconcileInput = Fixed<z.output<typeof input>>;

const common = { area: 'bank', input, answer: reconciliation } as const;
const errors = {
  not_found: 'account',
  account_unusable: 'account',
  reconciled: 'to',
  invalid_amount: 'closing',
} as const;

/**
 * Agrees an account with its bank up to a day: every line explained, opening and lines make the closing balance, and the
 * books hold that balance but for what the bank has not seen. Afterwards those lines stay as they are. Agreed already with that
 * balance is success.
 * `closing` and `opening` are in the account's currency.
 * @throws Problem `not_reconciled` (409) that says what is missing, `reconciled` (409) where it was done beyond that day
 */
export const reconcile = operation(
  { ...closes, ...common, name: 'service_reconcile_account', errors: { ...errors, not_reconciled: null } },
  async (scope, wish) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const account = await bankAccount(tx, wish.account);
      const agreed = await agreedOn(tx, account, wish.to);
      if (agreed?.closing.amount === formatAmount(closingOf(account, wish), account.currency)) return asItWas(agreed);
      const { state, minor } = await stand(tx, account, wish);
      const wrong = faults(state);
      if (wrong.length > 0) throw booksFail('not_reconciled', wrong.join(' '));
      const id = newId();
      await tx.query(sql`
        insert into accounting.reconciliation (tenant_id, reconciliation_id, account_id, from_day, to_day, opening, closing)
        values (${tenant}::uuid, ${id}::uuid, ${account.id}::uuid, ${state.from ?? wish.to}::date, ${wish.to}::date,
          ${minor.opening.toString()}::bigint, ${minor.closing.toString()}::bigint)`);
      tx.record(
        event('accounting.account.reconciled', {
          reconciliation_id: id,
          account_id: account.id,
          to: wish.to,
          closing: formatAmount(minor.closing, account.currency),
          currency: account.currency,
          content_sha256: await contentOf(tx, 'reconciliation', id),
        }),
      );
      return { ...state, completed: true };
    }),
);

/** How far it is from being agreed; changes nothing. @throws Problem as `reconcile` does for input */
export const reconciliationState = operation(
  { ...reads, ...common, name: 'service_get_reconciliation', errors },
  async (scope, wish) => {
    const asker = { context: scope.context, query: scope.read };
    return (await stand(asker, await bankAccount(asker, wish.account), wish)).state;
  },
);

function faults({ difference, unmatchedLines, bookBalance, outstanding, closing }: Reconciliation): string[] {
  const list: string[] = [];
  if (!/^-?0(\.0+)?$/.test(difference.amount))
    list.push(
      `The opening balance and the lines differ from the closing balance by ${difference.amount} ${difference.currency}: ` +
        'import missing lines, or correct the balances.',
    );
  if (unmatchedLines > 0)
    list.push(
      `${counted(unmatchedLines, 'line has', 'lines have')} an open amount: list the bank lines with unmatched, then ` +
        'match or post them.',
    );
  const seen =
    (parseAmount(bookBalance.amount, bookBalance.currency) ?? 0n) -
    (parseAmount(outstanding.amount, outstanding.currency) ?? 0n);
  if (list.length === 0 && formatAmount(seen, closing.currency) !== closing.amount)
    list.push(
      `The matched entries add up to ${formatAmount(seen, closing.currency)}, the bank statement to ${closing.amount} ` +
        `${closing.currency}: the books lack the opening balance, or an entry that explains a line is dated after that day.`,
    );
  return list;
}

const closingOf = ({ currency }: BankAccount, { closing }: ReconcileInput): bigint =>
  signedAmount(closing, currency, '/closing');

/** The reconciliation that was completed on a day, as it was agreed; undefined where none was. */
export async function agreedOn(tx: Asker, account: BankAccount, to: string): Promise<Reconciliation | undefined> {
  const [agreed] = await tx.query<{ from_day: string; after: string | null; opening: bigint; closing: bigint }>(sql`
    select from_day::text as from_day, opening, closing, (select max(b.to_day)::text from accounting.reconciliation b
        where b.tenant_id = r.tenant_id and b.account_id = r.account_id and b.to_day < r.to_day and b.undone_at is null) as after
    from accounting.reconciliation r
    where tenant_id = ${tx.context.tenant}::uuid and account_id = ${account.id}::uuid and to_day = ${to}::date and undone_at is null`);
  if (agreed === undefined) return undefined;
  return { ...(await sumUp(tx, account, { to, ...agreed })), from: agreed.from_day, completed: true };
}

async function stand(tx: Asker, account: BankAccount, input: ReconcileInput) {
  const { tenant } = tx.context;
  const [last] = await tx.query<{ to_day: string; closing: bigint }>(sql`
    select to_day::text as to_day, closing from accounting.reconciliation
    where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and undone_at is null order by to_day desc limit 1`);
  if (last !== undefined && last.to_day >= input.to)
    throw booksFail('reconciled', `The account is already reconciled up to ${last.to_day}: choose a later day.`);
  const closing = closingOf(account, input);
  const given = input.opening === undefined ? undefined : signedAmount(input.opening, account.currency, '/opening');
  const opening = last?.closing ?? given ?? (await openedWith(tx, account, input.to));
  return {
    state: await sumUp(tx, account, { to: input.to, after: last?.to_day ?? null, opening, closing }),
    minor: { opening, closing },
  };
}

/** What an account was opened with in the books, in minor units: a bank that was explained from its first line on has none. */
async function openedWith(tx: Asker, account: BankAccount, to: string): Promise<bigint> {
  const { tenant } = tx.context;
  const [opened] = await tx.query<{ amount: bigint }>(sql`
    select coalesce(sum(case when p.debit_account_id = ${account.id}::uuid then 1 else -1 end
      * case when ${account.inBase}::bool then p.base_amount else p.amount end), 0)::bigint as amount
    from accounting.posting p join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
    where p.tenant_id = ${tenant}::uuid and ${account.id}::uuid in (p.debit_account_id, p.credit_account_id)
      and e.kind = 'opening' and p.posting_date <= ${to}::date and (${account.inBase}::bool or e.currency = ${account.currency})
      and not exists (select from accounting.bank_match m
        join accounting.bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
        where m.tenant_id = p.tenant_id and m.entry_id = p.entry_id and l.account_id = ${account.id}::uuid
          and l.day <= ${to}::date and m.undone_at is null)`);
  return opened?.amount ?? 0n;
}

/** The account on a day, between two balances in minor units: lines after the day `after`, or from the first. */
async function sumUp(
  tx: Asker,
  account: BankAccount,
  { to, after, opening, closing }: { to: string; after: string | null; opening: bigint; closing: bigint },
): Promise<Reconciliation> {
  const { tenant } = tx.context;
  const [sums] = await tx.query<{
    lines: bigint;
    first: string | null;
    unmatched: bigint;
    book: bigint;
    outstanding: bigint;
  }>(sql`
    with lines as (
      select l.line_id, l.day, l.amount, l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
        where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0) as open
      from accounting.bank_line l where l.tenant_id = ${tenant}::uuid and l.account_id = ${account.id}::uuid
        and l.withdrawn_at is null and l.day <= ${to}::date and l.day > ${after ?? '0001-01-01'}::date),
    moved as (
      select p.entry_id, sum(case when p.debit_account_id = ${account.id}::uuid then 1 else -1 end
        * case when ${account.inBase}::bool then p.base_amount else p.amount end) as amount
      from accounting.posting p join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
      where p.tenant_id = ${tenant}::uuid and ${account.id}::uuid in (p.debit_account_id, p.credit_account_id)
        and p.posting_date <= ${to}::date and (${account.inBase}::bool or e.currency = ${account.currency}) group by p.entry_id),
    seen as (
      select m.entry_id, sum(m.amount) as amount from accounting.bank_match m
      join accounting.bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
      where m.tenant_id = ${tenant}::uuid and l.account_id = ${account.id}::uuid and l.day <= ${to}::date and m.undone_at is null
      group by m.entry_id)
    select coalesce((select sum(amount) from lines), 0)::bigint as lines, (select min(day)::text from lines) as first,
      (select count(*) from lines where open <> 0) as unmatched, coalesce((select sum(amount) from moved), 0)::bigint as book,
      coalesce((select sum(moved.amount - coalesce(seen.amount, 0)) from moved left join seen using (entry_id)
        join accounting.entry e on e.tenant_id = ${tenant}::uuid and e.entry_id = moved.entry_id
        where not (e.kind = 'opening' and seen.amount is null)), 0)::bigint as outstanding`);
  const { currency } = account;
  const moved = sums?.lines ?? 0n;
  return {
    account: account.code,
    from: sums?.first ?? null,
    to,
    opening: money(opening, currency),
    closing: money(closing, currency),
    difference: money(closing - opening - moved, currency),
    unmatchedLines: Number(sums?.unmatched ?? 0n),
    bookBalance: money(sums?.book ?? 0n, currency),
    outstanding: money(sums?.outstanding ?? 0n, currency),
    completed: false,
  };
}
