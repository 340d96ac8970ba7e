import { heavily, operation } from '@steward/access';
import { formatAmount, parseAmount, Problem } from '@steward/kernel';
import { sql, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { booksFail } from '../errors.ts';
import { postedEntry, recordWithEffects } from '../journal/record.ts';
import type { LineInput } from '../journal/read-lines.ts';
import { dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { keepBooks } from '../permissions.ts';
import { records } from './chart-file.ts';
import { csv } from './import-chart.ts';

/**
 * Posts opening balances from CSV with the headings account (code) and debit, credit. What is missing to balance goes to
 * `balanceTo` where one is named, such as the owner's equity; else the file must balance by itself. Books are opened once,
 * until that entry is reversed. Accounts in another currency are refused: their balance has a rate.
 * @throws Problem `invalid_chart`, `invalid_amount`, `account_unusable`, `unbalanced_entry` (422), `period_closed`, `already_opened` (409)
 */
export const importBalances = operation(
  {
    ...decides,
    requires: heavily(keepBooks),
    area: 'books',
    name: 'service_import_opening_balances',
    input: z.strictObject({
      date: dayText,
      content: csv,
      balanceTo: z.string().max(40).optional().meta({
        description: 'Account that receives the difference between debits and credits, such as the owner’s equity.',
      }),
    }),
    answer: postedEntry,
    errors: {
      invalid_chart: 'content',
      invalid_amount: 'content',
      account_unusable: 'content',
      control_account: 'content',
      unbalanced_entry: 'content',
      amount_too_large: 'content',
      period_closed: 'date',
      already_opened: null,
    },
  },
  async (scope, { date, content, balanceTo }) => {
    const { context } = scope;
    const [book] = await scope.read<{ base_currency: string }>(sql`
      select base_currency from accounting.book where tenant_id = ${context.tenant}::uuid`);
    const currency = book?.base_currency ?? '';
    const lines = read(content, currency, balanceTo);
    await requireOwn(scope, lines, currency);
    const entry = {
      date,
      currency,
      narration: 'Opening balances',
      lines: lines.map(({ from: _from, ...line }) => line),
    };
    return recordWithEffects(context, entry, 'opening', refuseSecond).catch((error: unknown) => {
      throw inFile(error, lines);
    });
  },
);

/** An account in another currency would hold an amount of the books' currency, which no revaluation finds. */
async function requireOwn(
  { context, read: ask }: Reading,
  lines: readonly FileLine[],
  currency: string,
): Promise<void> {
  const foreign = await ask<{ code: string; currency: string }>(sql`
    select a.code, a.currency from accounting.account a where a.tenant_id = ${context.tenant}::uuid
      and a.code = any (${lines.map(({ account }) => account)}::text[]) and a.currency <> ${currency}`);
  const currencies = new Map(foreign.map((one) => [one.code, one.currency]));
  const errors = lines.flatMap(({ account }, index) => {
    const theirs = currencies.get(account);
    const detail =
      `This account is in ${theirs}, and the file is in ${currency}. Leave it out, and post its balance as a journal entry in ${theirs} with ` +
      'its rate, against the same account that balances this file (service_post_journal_entry).';
    return theirs === undefined ? [] : [{ pointer: `/lines/${index}/account`, code: 'other_currency', detail }];
  });
  if (errors.length > 0)
    throw inFile(booksFail('account_unusable', `${errors[0]?.detail}`, { errors: errors.slice(0, 100) }), lines);
}

async function refuseSecond(tx: TenantTransaction, id: string): Promise<void> {
  const [first] = await tx.query<{ number: bigint; day: string }>(sql`
    select e.number, e.posting_date::text as day from accounting.entry e
    where e.tenant_id = ${tx.context.tenant}::uuid and e.kind = 'opening' and e.entry_id <> ${id}::uuid
      and not exists (select from accounting.entry r where r.tenant_id = e.tenant_id and r.reverses = e.entry_id)
    order by e.number limit 1`);
  if (first !== undefined)
    throw booksFail(
      'already_opened',
      `Entry ${first.number} already opened these books on ${first.day}. Reverse it first (service_reverse_journal_entry) ` +
        'and import all balances in one file, or post the missing balances as a journal entry (service_post_journal_entry).',
    );
}

type Reading = Pick<TenantScope, 'context' | 'read'>;

interface FileLine extends LineInput {
  /** Of the file; undefined for what was added to balance it. */
  readonly from: number | undefined;
}

/** Faults of the entry's lines, as faults of the file's. */
function inFile(error: unknown, lines: readonly FileLine[]): unknown {
  const at = (pointer: string): number | undefined => lines[Number(/^\/lines\/(\d+)/.exec(pointer)?.[1] ?? -1)]?.from;
  if (!(error instanceof Problem) || error.errors?.some(({ pointer }) => pointer.startsWith('/lines/')) !== true)
    return error;
  const errors = error.errors.map(({ pointer, code, detail }) => {
    const line = at(pointer);
    return line === undefined
      ? { pointer: '/balance_to', code, detail }
      : {
          pointer: '/content',
          code,
          detail: `line ${line}, ${pointer.split('/')[3] ?? 'debit and credit'}: ${detail}`,
        };
  });
  return new Problem(error.code, error.status, error.title, `${errors[0]?.detail}`, { errors, cause: error });
}

function read(content: string, currency: string, balanceTo: string | undefined): FileLine[] {
  let lines: FileLine[];
  try {
    lines = records(content, ['account', 'debit', 'credit']).flatMap(({ line, cell }) => {
      const [account, debit, credit] = [cell('account'), plain(cell('debit')), plain(cell('credit'))];
      if (debit === undefined && credit === undefined) return [];
      return [{ from: line, account, debit, credit, memo: cell('memo').slice(0, 500) || undefined }];
    });
  } catch (cause) {
    throw booksFail('invalid_chart', `${(cause as Error).message.slice(0, 300)}.`, { cause });
  }
  return balanceTo === undefined ? lines : [...lines, ...counterLine(lines, currency, balanceTo)];
}

/** Empty and zero cells say nothing. */
const plain = (text: string): string | undefined => (/^0*(?:\.0*)?$/.test(text) ? undefined : text);

function counterLine(lines: readonly LineInput[], currency: string, account: string): FileLine[] {
  const sum = (side: 'debit' | 'credit'): bigint =>
    lines.reduce(
      (total, line) => total + (line[side] === undefined ? 0n : (parseAmount(line[side], currency) ?? 0n)),
      0n,
    );
  const missing = sum('debit') - sum('credit');
  if (missing === 0n) return [];
  return [
    missing > 0n
      ? { from: undefined, account, credit: formatAmount(missing, currency) }
      : { from: undefined, account, debit: formatAmount(-missing, currency) },
  ];
}
