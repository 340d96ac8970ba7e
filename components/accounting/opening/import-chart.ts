import { asItWas, heavily, operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { type Row, sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { booksFail } from '../errors.ts';
import { decides } from '../operations.ts';
import { keepBooks } from '../permissions.ts';
import { readChart } from './chart-file.ts';

/** An account of a file, as it is now. */
const account = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  type: z.string(),
  currency: z.string(),
  /** What is on it is money: a bank, cash or card account. */
  money: z.boolean(),
  /** What it was called; null for one that is added. */
  formerly: z.string().nullable(),
});
type ImportedAccount = z.output<typeof account>;

export const csv = z
  .string()
  .min(1)
  .max(900_000)
  .meta({ description: 'The CSV file as text, with a row of headings.' });

/**
 * Adds the accounts of a CSV file to the chart. A code that is there keeps its type, its currency and what the platform posts to it.
 * @throws Problem `invalid_chart` (422) with the line at fault; nothing is changed then
 */
export const importChart = operation(
  {
    // What is money, and what an account is called, decides what people see leave: a person says so.
    ...decides,
    requires: heavily(keepBooks),
    area: 'books',
    name: 'service_import_chart_of_accounts',
    input: z.strictObject({ content: csv }),
    answer: z.object({
      added: z.int(),
      /** Accounts whose code was there already: their name is brought up to date, their type stays. */
      renamed: z.int(),
      /** Those accounts, by code. */
      accounts: z.array(account),
    }),
    errors: { invalid_chart: 'content' },
  },
  async (scope, { content }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const accounts = read(content);
      // A later caller gets the present state of the whole chart.
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`accounting.chart ${tenant}`}, 0))`);
      const known = await tx.query<{ code: string; type: string; name: string; currency: string }>(sql`
      select code, type, name, currency from accounting.account
      where tenant_id = ${tenant}::uuid and code = any (${accounts.map(({ code }) => code)}::text[]) for update`);
      const byCode = new Map(known.map((one) => [one.code, one]));
      for (const { line, code, type, currency } of accounts) {
        const there = byCode.get(code);
        if (there === undefined) continue;
        const kept =
          there.type !== type
            ? `type ${there.type}`
            : currency !== undefined && there.currency !== currency
              ? `currency ${there.currency}`
              : undefined;
        if (kept !== undefined)
          throw booksFail(
            'invalid_chart',
            `line ${line}: the account ${code} exists with the ${kept}, which cannot change: choose another code.`,
          );
      }
      const rows = accounts.map(({ line: _line, ...account }) => ({ ...account, id: newId() }));
      const written = await tx.query<Omit<ImportedAccount, 'formerly'> & Row>(sql`
      insert into accounting.account as a (tenant_id, account_id, code, name, type, activity, currency)
      select b.tenant_id, r.id, r.code, r.name, r.type, r.activity, coalesce(r.currency, b.base_currency)
      from accounting.book b cross join json_to_recordset(${JSON.stringify(rows)}::json)
        as r (id uuid, code text, name text, type text, activity text, currency text)
      where b.tenant_id = ${tenant}::uuid
      on conflict (tenant_id, code) do update set name = excluded.name where a.name <> excluded.name
      returning a.account_id as id, a.code, a.name, a.type, a.currency, a.activity = 'cash' as money`);
      const imported = written
        .map((one): ImportedAccount => ({ ...one, formerly: byCode.get(one.code)?.name ?? null }))
        .toSorted((a, b) => (a.code < b.code ? -1 : 1));
      const added = imported.filter(({ formerly }) => formerly === null).length;
      const renamed = written.length - added;
      if (written.length === 0) return asItWas({ added, renamed, accounts: imported });
      tx.record(
        event('accounting.chart.imported', { added, renamed, chart_sha256: await contentOf(tx, 'chart', tenant) }),
      );
      return { added, renamed, accounts: imported };
    }),
);

function read(content: string) {
  try {
    const accounts = readChart(content);
    const seen = new Set<string>();
    for (const { code, line } of accounts) {
      if (seen.has(code)) throw new Error(`line ${line}: the code ${code} is repeated`);
      seen.add(code);
    }
    return accounts;
  } catch (cause) {
    throw booksFail('invalid_chart', `${(cause as Error).message.slice(0, 300)}.`, { cause });
  }
}
