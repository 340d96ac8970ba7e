import { heavily, operation } from '@steward/access';
import { type FieldError, formatAmount, parseAmount, Problem } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { currencyOfBooks } from '../books/base-currency.ts';
import { booksFail } from '../errors.ts';
import { mostFaults } from '../lines.ts';
import type { Line } from '../journal/pair.ts';
import { post } from '../journal/post.ts';
import { accountIds, readLines, type LineInput } from '../journal/read-lines.ts';
import { positiveAmount } from '../money/read.ts';
import { dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { keepBooks } from '../permissions.ts';
import { formatRate, parseRate, rateBetween, rateForm, type Rate, unity } from '../rates/rate.ts';
import { holdBalances } from '../subledger/hold.ts';
import { booked, shown } from '../subledger/shown.ts';
import { records } from './chart-file.ts';
import { csv } from './import-chart.ts';

/** Balances in other currencies that one file opens: each is an entry of its own. */
const mostForeign = 200;

/**
 * Posts opening balances from CSV with the headings account (code), debit and credit. What is missing to balance goes to
 * `balanceTo` where one is named, such as the owner's equity; else the file must balance by itself. An account in another currency
 * opens in its own: its line also has the rate, or the amount in the base currency (`base`), and an entry of its own against
 * `balanceTo`, so that what it is worth is rounded as a revaluation rounds it. Books are opened once, until those entries are reversed.
 * @throws Problem `invalid_chart`, `invalid_amount`, `invalid_rate`, `account_unusable`, `unbalanced_entry` (422), `period_closed`,
 *   `already_opened` (409)
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
        description:
          'Account that receives the difference between debits and credits, such as the owner’s equity. Needed where an account is in another currency.',
      }),
    }),
    answer: booked,
    errors: {
      invalid_chart: 'content',
      invalid_amount: 'content',
      invalid_rate: 'content',
      account_unusable: 'content',
      control_account: 'content',
      unbalanced_entry: 'content',
      amount_too_large: 'content',
      period_closed: 'date',
      already_opened: null,
    },
  },
  async (scope, { date, content, balanceTo }) =>
    scope.write(async (tx) => {
      const base = await currencyOfBooks(tx);
      const lines = read(content);
      const currencies = await currenciesOf(tx, balanceTo === undefined ? lines : [...lines, { account: balanceTo }]);
      const opened: (Opening & { readonly read: readonly Line[] })[] = [];
      const wanted = openings(lines, currencies, base, balanceTo);
      for (const one of wanted) {
        const entry = { ...one, read: await inFile(one, readLines(tx, one.lines.map(written), one.currency)) };
        // What a file says of `balanceTo` may be all that the other balances come to.
        if (one.currency !== base || wanted.length === 1 || !isNothing(entry.read)) opened.push(entry);
      }
      await holdBalances(
        tx,
        opened.flatMap((one) => one.read.map(({ accountId }) => ({ accountId, currency: one.currency, day: date }))),
      );
      const ids: string[] = [];
      for (const one of opened) {
        const { currency, rate, read: accounts } = one;
        const draft = {
          date,
          currency,
          rate,
          narration: 'Opening balances',
          kind: 'opening',
          lines: accounts,
        } as const;
        ids.push((await inFile(one, post(tx, draft))).id);
      }
      await refuseSecond(tx, ids);
      return shown(tx, ids);
    }),
);

async function refuseSecond(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
  const earlier = await tx.query<{ number: bigint; day: string }>(sql`
    select e.number, e.posting_date::text as day from accounting.entry e
    where e.tenant_id = ${tx.context.tenant}::uuid and e.kind = 'opening' and e.entry_id <> all (${ids}::uuid[])
      and not exists (select from accounting.entry r where r.tenant_id = e.tenant_id and r.reverses = e.entry_id)
    order by e.number limit ${mostForeign + 1}`);
  const [first, second] = earlier;
  if (first === undefined) return;
  const numbers = earlier.map(({ number }) => number).join(', ');
  throw booksFail(
    'already_opened',
    `${second === undefined ? `Entry ${numbers}` : `Entries ${numbers}`} already opened these books on ${first.day}. Reverse ` +
      `${second === undefined ? 'it' : 'each of them'} first (service_reverse_journal_entry) and import all balances in one file, or post the ` +
      'missing balances as a journal entry (service_post_journal_entry).',
  );
}

interface FileLine extends LineInput {
  /** Of the file; undefined for what was added to balance it. */
  readonly from: number | undefined;
  /** What one unit is worth in the base currency, or what the whole is: of an account in another currency. */
  readonly rate?: string | undefined;
  readonly base?: string | undefined;
}

interface Opening {
  readonly currency: string;
  readonly rate: Rate;
  readonly lines: FileLine[];
}

const written = ({ from: _from, rate: _rate, base: _base, ...line }: FileLine): LineInput => line;

/** The currencies of accounts, by what the file calls them. */
async function currenciesOf(
  tx: TenantTransaction,
  lines: readonly Pick<FileLine, 'account'>[],
): Promise<Map<string, string>> {
  const ids = await accountIds(
    tx,
    lines.map(({ account }) => account),
  );
  const rows = await tx.query<{ account_id: string; currency: string }>(sql`
    select account_id, currency from accounting.account
    where tenant_id = ${tx.context.tenant}::uuid and account_id = any (${[...ids.values()]}::uuid[])`);
  const currencies = new Map(rows.map(({ account_id: id, currency }) => [id, currency]));
  return new Map([...ids].map(([name, id]) => [name, currencies.get(id) ?? '']));
}

/** The entry in the base currency, and those in others: one for each account and rate. */
function openings(
  lines: readonly FileLine[],
  currencies: ReadonlyMap<string, string>,
  base: string,
  balanceTo: string | undefined,
): Opening[] {
  const faults: (FieldError & { readonly code: Parameters<typeof booksFail>[0] })[] = [];
  const groups = new Map<string, Opening>();
  const own: FileLine[] = [];
  for (const line of lines) {
    const currency = currencies.get(line.account);
    // The ledger says of an account that is not there that it is not.
    if (currency === undefined) {
      own.push(line);
      continue;
    }
    const rate = currency === base ? ownRate(line, base) : foreignRate(line, currency, base);
    if (typeof rate === 'object')
      faults.push({ ...rate, pointer: '/content', detail: `line ${line.from}, ${rate.pointer}: ${rate.detail}` });
    else if (currency === base) own.push(line);
    else {
      // What a whole balance is worth is met by its rate alone, and not by a sum at that rate.
      const key = JSON.stringify([line.account, formatRate(rate), line.base === undefined ? null : line.from]);
      const group = groups.get(key) ?? { currency, rate, lines: [] };
      group.lines.push(line);
      groups.set(key, group);
    }
  }
  const foreign = [...groups.values()];
  const against = (detail: string, code: Parameters<typeof booksFail>[0]): number =>
    faults.push({ pointer: '/balance_to', code, detail });
  if (balanceTo === undefined && foreign.length > 0)
    against(
      `The file opens an account in ${foreign[0]?.currency}: name the account that balances it, such as the owner’s equity.`,
      'unbalanced_entry',
    );
  const theirs = balanceTo === undefined ? base : (currencies.get(balanceTo) ?? base);
  if (theirs !== base)
    against(`This account is in ${theirs}: name one in ${base}, the base currency.`, 'account_unusable');
  const [fault] = faults;
  if (fault !== undefined) throw booksFail(fault.code, fault.detail, { errors: faults.slice(0, mostFaults) });
  if (foreign.length > mostForeign)
    throw booksFail(
      'invalid_chart',
      `The file has ${foreign.length} balances in other currencies, and ${mostForeign} is the most.`,
    );
  const balanced = (one: Opening): Opening =>
    balanceTo === undefined ? one : { ...one, lines: [...one.lines, ...counterLine(one, balanceTo)] };
  const inBase = balanced({ currency: base, rate: unity, lines: own });
  return [...(inBase.lines.length > 0 || foreign.length === 0 ? [inBase] : []), ...foreign.map(balanced)];
}

type RateFault = FieldError & { readonly code: 'invalid_rate' | 'invalid_amount' };

function ownRate({ rate, base }: FileLine, currency: string): Rate | RateFault {
  if (rate === undefined && base === undefined) return unity;
  const detail = `This account is in ${currency}, the base currency: leave rate and base empty.`;
  return { pointer: rate === undefined ? 'base' : 'rate', code: 'invalid_rate', detail };
}

/** Nobody's debit is taken for an amount in another currency unless its line says what that is worth. */
function foreignRate({ debit, credit, rate, base }: FileLine, currency: string, books: string): Rate | RateFault {
  const wrong = (pointer: string, detail: string): RateFault => ({ pointer, code: 'invalid_rate', detail });
  if ((rate === undefined) === (base === undefined))
    return wrong(
      'rate',
      `This account is in ${currency}, and so are its debit and credit: give the rate of ${currency} in the column rate, or what the ` +
        `balance is worth in ${books} in the column base, one of the two.`,
    );
  if (rate !== undefined) return parseRate(rate) ?? wrong('rate', rateForm);
  const worth = positiveAmount(base ?? '', books, 'base');
  if (typeof worth !== 'bigint') return { ...worth, code: 'invalid_amount' };
  const amount = parseAmount(debit ?? credit ?? '', currency);
  // Said of the amount itself by whoever reads it.
  if (amount === undefined || amount <= 0n) return unity;
  return (
    rateBetween(amount, currency, worth, books) ??
    wrong(
      'base',
      `No rate of 12 digits on either side of the point makes this of ${debit ?? credit} ${currency}: give the rate.`,
    )
  );
}

const isNothing = (lines: readonly Line[]): boolean =>
  [...Map.groupBy(lines, ({ accountId }) => accountId).values()].every(
    (own) => own.reduce((sum, { debit = 0n, credit = 0n }) => sum + debit - credit, 0n) === 0n,
  );

/** What reads or posts an entry; faults of its lines are faults of the file's. */
async function inFile<T>({ lines }: Opening, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw ofFile(error, lines);
  });
}

function ofFile(error: unknown, lines: readonly FileLine[]): unknown {
  if (!(error instanceof Problem) || error.errors?.some(({ pointer }) => pointer.startsWith('/lines/')) !== true)
    return error;
  const errors = error.errors.map(({ pointer, code, detail }) => {
    const line = lines[Number(/^\/lines\/(\d+)/.exec(pointer)?.[1] ?? -1)]?.from;
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

function read(content: string): FileLine[] {
  try {
    return records(content, ['account', 'debit', 'credit']).flatMap(({ line, cell }) => {
      const [account, debit, credit] = [cell('account'), plain(cell('debit')), plain(cell('credit'))];
      if (debit === undefined && credit === undefined) return [];
      const [memo, rate, base] = [cell('memo').slice(0, 500), cell('rate'), cell('base')].map(
        (text) => text || undefined,
      );
      return [{ from: line, account, debit, credit, memo, rate, base }];
    });
  } catch (cause) {
    throw booksFail('invalid_chart', `${(cause as Error).message.slice(0, 300)}.`, { cause });
  }
}

/** Empty and zero cells say nothing. */
const plain = (text: string): string | undefined => (/^0*(?:\.0*)?$/.test(text) ? undefined : text);

function counterLine({ lines, currency }: Opening, account: string): FileLine[] {
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
