import { heavily, operation } from '@steward/access';
import { type Fixed, moneyShape, pageCursor, pageLimit, pageOf } from '@steward/contract';
import { fail, money } from '@steward/kernel';
import { decodeCursor, encodeCursor, parseCursor, sql } from '@steward/sql';
import { z } from 'zod';
import { firstDay, lastDay } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { readBooks } from '../permissions.ts';
import { movements } from './movements.ts';
import { inOrder } from '../periods/span.ts';

const line = z.object({
  entryId: z.uuid(),
  number: z.string(),
  date: z.string(),
  narration: z.string(),
  memo: z.string().nullable(),
  debit: moneyShape.nullable(),
  credit: moneyShape.nullable(),
  /** Debits less credits up to and with this line. */
  balance: moneyShape,
});
export type LedgerLine = Fixed<z.output<typeof line>>;

const ledger = pageOf(line).extend({ code: z.string(), name: z.string(), opening: moneyShape });

/** A place in an account's ledger and what the account held there: a page costs the same wherever it lies. */
interface Place {
  readonly date: string;
  readonly number: string;
  readonly line: number;
  readonly side: number;
  readonly balance: bigint;
}

const start = (from: string): Omit<Place, 'balance'> => ({ date: from, number: '0', line: 0, side: 0 });

/**
 * The postings of one account in the base currency, from a day to a day, with a running balance.
 * @throws Problem `not_found` (404), `invalid_cursor` (400)
 */
export const generalLedger = operation(
  {
    ...reads,
    requires: heavily(readBooks),
    area: 'reports',
    name: 'service_get_general_ledger',
    input: z.strictObject({
      accountId: z.string().min(1).max(40).meta({ description: 'Code or id, from service_list_accounts.' }),
      from: firstDay,
      to: lastDay,
      limit: pageLimit,
      cursor: pageCursor(z.string().max(200)),
    }),
    answer: ledger,
    errors: ['not_found', 'invalid_cursor'],
  },
  async (scope, { limit, cursor, ...wish }) => {
    inOrder(wish);
    const place = cursor === undefined ? undefined : readCursor(cursor);
    const at = place ?? start(wish.from);
    const before = new Date(Date.parse(`${wish.from}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
    const [accounts, rows] = (await scope.readAll([
      movements({ to: before, closing: true, account: wish.accountId }),
      lines(scope.context.tenant, wish, at, limit + 1),
    ])) as [{ account_id: string; code: string; name: string; base_currency: string; net: bigint }[], LineRow[]];
    const [account] = accounts;
    if (account === undefined)
      throw fail('not_found', 'There is no such account in this tenant: list the accounts for their codes and ids.');
    const currency = account.base_currency;
    let balance = place?.balance ?? account.net;
    const items = rows.slice(0, limit).map((row) => {
      balance += row.side === 0 ? row.amount : -row.amount;
      return {
        entryId: row.entry_id,
        number: String(row.number),
        date: row.posting_date,
        narration: row.narration,
        memo: row.memo,
        debit: row.side === 0 ? money(row.amount, currency) : null,
        credit: row.side === 1 ? money(row.amount, currency) : null,
        balance: money(balance, currency),
      };
    });
    const last = rows[limit - 1];
    const next = rows.length > limit && last !== undefined ? cursorOf(last, balance) : null;
    return { code: account.code, name: account.name, opening: money(account.net, currency), items, nextCursor: next };
  },
);

interface LineRow {
  readonly entry_id: string;
  readonly number: bigint;
  readonly line: number;
  readonly side: number;
  readonly posting_date: string;
  readonly narration: string;
  readonly memo: string | null;
  readonly amount: bigint;
}

/** Each side by its own index, both cut before they are merged. */
const lines = (
  tenant: string,
  { accountId: account, to }: { readonly accountId: string; readonly to: string },
  at: Omit<Place, 'balance'>,
  limit: number,
) => sql`
  with named as (select account_id from accounting.account
    where tenant_id = ${tenant}::uuid and (code = ${account} or account_id::text = lower(${account})))
  select l.entry_id, l.number, l.line, l.side, l.posting_date::text as posting_date, l.memo, l.amount, e.narration from (
    (select entry_id, number, line, 0 as side, posting_date, debit_memo as memo, base_amount as amount from accounting.posting
      where tenant_id = ${tenant}::uuid and debit_account_id = (select account_id from named) and posting_date <= ${to}::date
        and (posting_date, number, line) >= (${at.date}::date, ${at.number}::bigint, ${at.line}::int)
        and (posting_date, number, line, 0) > (${at.date}::date, ${at.number}::bigint, ${at.line}::int, ${at.side}::int)
      order by posting_date, number, line limit ${limit}::int)
    union all
    (select entry_id, number, line, 1, posting_date, credit_memo, base_amount from accounting.posting
      where tenant_id = ${tenant}::uuid and credit_account_id = (select account_id from named) and posting_date <= ${to}::date
        and (posting_date, number, line) >= (${at.date}::date, ${at.number}::bigint, ${at.line}::int)
        and (posting_date, number, line, 1) > (${at.date}::date, ${at.number}::bigint, ${at.line}::int, ${at.side}::int)
      order by posting_date, number, line limit ${limit}::int)
  ) l join accounting.entry e on e.tenant_id = ${tenant}::uuid and e.entry_id = l.entry_id
  order by l.posting_date, l.number, l.line, l.side limit ${limit}::int`;

const cursorOf = (row: LineRow, balance: bigint): string =>
  encodeCursor(`${row.posting_date} ${row.number} ${row.line} ${row.side} ${balance}`);

function readCursor(cursor: string): Place {
  const form = /^(\d{4}-\d{2}-\d{2}) (\d{1,18}) (\d{1,9}) ([01]) (-?\d{1,19})$/;
  const [date = '', number = '', line = '', side = '', balance = ''] = parseCursor(decodeCursor(cursor), form);
  return { date, number, line: Number(line), side: Number(side), balance: BigInt(balance) };
}
