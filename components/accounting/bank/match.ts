import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { fail, formatAmount, newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { booksFail, missingAt, refuseAt } from '../errors.ts';
import { signedAmount } from '../money/read.ts';
import { writes } from '../operations.ts';
import { bankAccount } from './account.ts';
import { bankLine, type BankLine, lineColumns } from './line.ts';

const part = z.strictObject({
  entryId: z.uuid().meta({ description: 'From service_suggest_bank_matches or service_list_journal_entries.' }),
  amount: z.string().max(40).optional().meta({
    description:
      'With the sign of the line and the digits of its currency, such as "-20.00"; what fits both if left out.',
  }),
});
type Part = Fixed<z.output<typeof part>>;

/**
 * Explains a line by entries, in parts where they are several: never more than the line, nor than what an entry does to
 * the account. All or nothing.
 * @throws Problem `not_found` (404), `match_exceeds` (409), `reconciled` (409), `invalid_amount` (422)
 */
export const matchLine = operation(
  {
    ...writes,
    area: 'bank',
    name: 'service_match_bank_line',
    input: z.strictObject({
      lineId: z.uuid().meta({ description: 'From service_list_bank_lines.' }),
      entries: z.array(part).min(1).max(50).meta({ description: 'The entries that together explain the line.' }),
    }),
    answer: bankLine.answer,
    errors: {
      not_found: 'lineId',
      account_unusable: 'lineId',
      match_exceeds: 'lineId',
      reconciled: 'lineId',
      invalid_amount: 'entries',
    },
  },
  async (scope, { lineId, entries }) =>
    scope.write(async (tx) => {
      await addMatches(tx, await openLine(tx, lineId), entries);
      return lineIn(tx, lineId);
    }),
);

export interface OpenLine {
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
  readonly inBase: boolean;
  readonly day: string;
  readonly amount: bigint;
  readonly description: string;
}

/** The line, its account locked. @throws Problem `not_found` (404), `reconciled` (409) */
export async function openLine(tx: TenantTransaction, lineId: string): Promise<OpenLine> {
  const [row] = await tx.query<{ account_id: string; day: string; amount: bigint; description: string }>(sql`
    select account_id, day::text as day, amount, description from accounting.bank_line
    where tenant_id = ${tx.context.tenant}::uuid and line_id = ${lineId}::uuid and withdrawn_at is null`);
  if (row === undefined)
    throw fail('not_found', 'There is no such statement line in this tenant: list the bank lines for their ids.');
  const { currency, inBase } = await bankAccount(tx, row.account_id);
  const [done] = await tx.query(sql`
    select from accounting.reconciliation where tenant_id = ${tx.context.tenant}::uuid and account_id = ${row.account_id}::uuid
      and to_day >= ${row.day}::date and undone_at is null limit 1`);
  if (done !== undefined)
    throw booksFail(
      'reconciled',
      `The account is reconciled beyond ${row.day}, so this line cannot change: undo the reconciliation first.`,
    );
  return {
    id: lineId,
    accountId: row.account_id,
    currency,
    inBase,
    day: row.day,
    amount: row.amount,
    description: row.description,
  };
}

export async function addMatches(tx: TenantTransaction, line: OpenLine, parts: readonly Part[]): Promise<void> {
  for (const [index, { entryId, amount }] of parts.entries()) {
    const [open] = await tx.query<{ line: bigint; entry: bigint | null }>(sql`
      select ${line.amount.toString()}::bigint - coalesce((select sum(amount) from accounting.bank_match
          where tenant_id = ${tx.context.tenant}::uuid and line_id = ${line.id}::uuid and undone_at is null), 0)::bigint as line,
        ((select sum(case when p.debit_account_id = ${line.accountId}::uuid then 1 else -1 end
            * case when ${line.inBase}::bool then p.base_amount else p.amount end)
          from accounting.posting p join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
          where p.tenant_id = ${tx.context.tenant}::uuid and p.entry_id = ${entryId}::uuid and (${line.inBase}::bool or e.currency = ${line.currency})
            and ${line.accountId}::uuid in (p.debit_account_id, p.credit_account_id))
        - coalesce((select sum(m.amount) from accounting.bank_match m
            join accounting.bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
            where m.tenant_id = ${tx.context.tenant}::uuid and m.entry_id = ${entryId}::uuid and m.undone_at is null
              and l.account_id = ${line.accountId}::uuid), 0))::bigint as entry`);
    if (open?.entry === null || open?.entry === undefined)
      throw missingAt(
        `/entries/${index}/entryId`,
        'There is no such entry in this tenant, or it does not post to this account in its currency: choose another entry.',
      );
    if (open.line === 0n)
      throw booksFail(
        'match_exceeds',
        'The line is already matched. If the match is wrong, undo it first (service_unmatch_bank_line).',
      );
    const share =
      amount === undefined
        ? fitting(open.line, open.entry)
        : signedAmount(amount, line.currency, `/entries/${index}/amount`);
    if (open.entry === 0n || open.line > 0n !== open.entry > 0n)
      throw refuseAt(`/entries/${index}`, 'match_exceeds', unfit(open.line, open.entry, line.currency));
    if (share === 0n || !within(share, open.line) || !within(share, open.entry))
      throw refuseAt(
        amount === undefined ? `/entries/${index}` : `/entries/${index}/amount`,
        'match_exceeds',
        `The open amount of the line is ${formatAmount(open.line, line.currency)}, of the entry ` +
          `${formatAmount(open.entry, line.currency)}: give a part with their sign that exceeds neither.`,
      );
    const matchId = newId();
    await tx.query(sql`
      insert into accounting.bank_match (tenant_id, match_id, line_id, entry_id, amount)
      values (${tx.context.tenant}::uuid, ${matchId}::uuid, ${line.id}::uuid, ${entryId}::uuid, ${share.toString()}::bigint)`);
    tx.record(
      event('accounting.line.matched', {
        match_id: matchId,
        line_id: line.id,
        entry_id: entryId,
        amount: formatAmount(share, line.currency),
        currency: line.currency,
      }),
    );
  }
}

/** Why an entry cannot explain any of a line. */
function unfit(line: bigint, entry: bigint, currency: string): string {
  if (entry === 0n) return 'The entry explains other lines in full already: choose another entry.';
  const moves = (amount: bigint): string =>
    `${formatAmount(amount < 0n ? -amount : amount, currency)} ${amount < 0n ? 'out of' : 'into'} the account`;
  return `The line moves ${moves(line)}, but the entry ${moves(entry)}: choose an entry that moves money the same way.`;
}

/** Of one sign and no further from zero. */
const within = (part: bigint, open: bigint): boolean =>
  open > 0n ? part > 0n && part <= open : part < 0n && part >= open;

const fitting = (line: bigint, entry: bigint): bigint => {
  if (line > 0n !== entry > 0n) return 0n;
  const smaller = (line < 0n ? -line : line) < (entry < 0n ? -entry : entry) ? line : entry;
  return smaller;
};

export async function lineIn(tx: TenantTransaction, lineId: string): Promise<BankLine> {
  const [row] = await tx.query(
    statement(
      `select ${lineColumns} from accounting.bank_line l
       join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
       where l.tenant_id = $1::uuid and l.line_id = $2::uuid`,
      [tx.context.tenant, lineId],
    ),
  );
  return bankLine.read(row ?? {});
}
