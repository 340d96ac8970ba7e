import { createHash } from 'node:crypto';
import { asItWas, heavily, operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { money, newId, type Money } from '@steward/kernel';
import { sql, sqlState, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { booksFail } from '../errors.ts';
import { uploading } from '../attachments/uploading.ts';
import { writes } from '../operations.ts';
import { keepBooks } from '../permissions.ts';
import { bankAccount, bankAccountName } from './account.ts';
import { readCamt053 } from './files/camt053.ts';
import { readCsv } from './files/csv.ts';
import { readOfx } from './files/ofx.ts';
import { type StatementFile, statementFormats } from './files/statement.ts';
import { type KeptLine, near, skippedLine, sortLines } from './known.ts';

export const mostLines = 20_000;
/** The most skipped lines that an answer lists. */
const mostTold = 500;

const headed = (what: string) =>
  z
    .string()
    .max(100)
    .optional()
    .meta({ description: `Heading of ${what}.` });

const input = z.strictObject({
  account: bankAccountName,
  format: z.enum(statementFormats).meta({ description: 'Format of the file; camt053 is the XML of ISO 20022.' }),
  content: z.string().min(1).max(900_000).meta({ description: 'The whole file as text.' }),
  columns: z
    .strictObject({
      date: headed('the booking day'),
      amount: headed('the amount with its sign'),
      debit: headed('outgoing amounts, where two columns hold them'),
      credit: headed('incoming amounts'),
      description: headed('the text of the movement'),
      counterparty: headed('who paid or was paid'),
      reference: headed('the payment reference'),
      id: headed('the bank’s own id of the movement'),
      direction: headed('what says whether an amount without sign is incoming or outgoing'),
      status: headed('the state: pending and declined lines are left out'),
    })
    .optional()
    .meta({ description: 'Headings of the CSV columns. Needed if the import does not recognize them.' }),
  dayFirst: z.boolean().optional().meta({ description: 'true: 01/02/2026 is 1 February.' }),
  decimalMark: z
    .enum(['.', ','])
    .optional()
    .meta({ description: 'Decimal mark of a CSV file. Needed if its amounts do not show it.' }),
  bankAccount: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: 'IBAN or account number. Needed if the file contains statements of several accounts.' }),
  takeLines: z.array(z.int().min(1).max(1_000_000)).max(mostLines).optional().meta({
    description: 'Line numbers that an earlier import skipped as likely_double and that are movements of their own.',
  }),
});
type StatementImport = Fixed<z.output<typeof input>>;

const imported = z.object({
  statementId: z.uuid(),
  /** Lines that are new. */
  added: z.int(),
  /** Lines that came with an earlier file, in every word alike. */
  known: z.int(),
  /** Lines left out because a file of another format seems to have brought them. */
  doubles: z.int(),
  /** Every line that was left out, and why; the first of them where they are many. */
  skipped: z.array(skippedLine),
  skippedLines: z.string().meta({ description: 'All skipped lines of the file, such as 2-4, 9.' }),
  opening: moneyShape.nullable(),
  closing: moneyShape.nullable(),
});
export type Imported = Fixed<z.output<typeof imported>>;

/**
 * Imports a bank's file: every line once, however often and in however many overlapping files it comes. A line that looks like one of a
 * file in another format is skipped and listed; `takeLines` imports it.
 * @throws Problem `invalid_statement` (422) that says what is wrong with the file, `reconciled` (409) where a new line is of a day
 *   that was reconciled
 */
export const importStatement = operation(
  {
    ...writes,
    requires: heavily(keepBooks),
    area: 'bank',
    name: 'service_import_bank_statement',
    input,
    answer: imported,
    errors: { not_found: 'account', account_unusable: 'account', invalid_statement: 'content', reconciled: 'content' },
  },
  async (scope, given) => uploading(scope.context, async () => importLines(scope, given)),
);

async function importLines(scope: TenantScope, input: StatementImport): Promise<Imported> {
  return scope.write(async (tx) => {
    const { tenant } = tx.context;
    const account = await bankAccount(tx, input.account);
    const file = await readFile(input, account.currency);
    const content = createHash('sha256').update(input.content).digest('hex');
    const kept = (await tx.query(sql`
      with wanted as materialized (
        select distinct w.day + apart as day, w.amount
        from json_to_recordset(${JSON.stringify(file.lines.map(({ day, amount }) => ({ day, amount: amount.toString() })))}::json)
          as w (day date, amount bigint) cross join generate_series(-${near}::int, ${near}::int) as apart)
      select l.line_id as id, l.day::text as day, l.amount, l.description, l.counterparty, l.reference, l.bank_id as "bankId", s.format
      from wanted join accounting.bank_line l on l.tenant_id = ${tenant}::uuid and l.account_id = ${account.id}::uuid
        and l.day = wanted.day and l.amount = wanted.amount and l.withdrawn_at is null
      join accounting.bank_statement s on s.tenant_id = l.tenant_id and s.statement_id = l.statement_id
      order by l.day, l.line_id`)) as unknown as KeptLine[];
    const { fresh, skipped } = await sortLines(file, input.format, kept, new Set(input.takeLines));
    const [statement] = await tx.query<{ statement_id: string; first: boolean }>(sql`
      with added as (
        insert into accounting.bank_statement (tenant_id, statement_id, account_id, format, content_sha256, currency, opening, closing)
        values (${tenant}::uuid, ${newId()}::uuid, ${account.id}::uuid, ${input.format}, ${content}, ${account.currency},
          ${file.opening?.toString() ?? null}::bigint, ${file.closing?.toString() ?? null}::bigint)
        on conflict (tenant_id, account_id, content_sha256) do nothing returning statement_id)
      select statement_id, true as first from added union all
      select statement_id, false from accounting.bank_statement
      where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and content_sha256 = ${content}`);
    const statementId = statement?.statement_id ?? '';
    const shown = (minor: bigint | undefined): Money | null =>
      minor === undefined ? null : money(minor, account.currency);
    const done: Imported = {
      statementId,
      added: fresh.length,
      known: skipped.filter(({ reason }) => reason === 'known').length,
      doubles: skipped.filter(({ reason }) => reason === 'likely_double').length,
      skipped: skipped.slice(0, mostTold),
      skippedLines: runs(skipped.map(({ line }) => line)),
      opening: shown(file.opening),
      closing: shown(file.closing),
    };
    if (fresh.length === 0 && statement?.first !== true) return asItWas(done);
    await tx
      .query(
        sql`
      insert into accounting.bank_line (tenant_id, line_id, statement_id, account_id, day, amount, description, counterparty, reference, bank_id)
      select ${tenant}::uuid, line_id, ${statementId}::uuid, ${account.id}::uuid, day, amount, description, counterparty, reference, bank_id
      from json_to_recordset(${JSON.stringify(fresh)}::json)
        as l (line_id uuid, day date, amount bigint, description text, counterparty text, reference text, bank_id text)`,
      )
      .catch((cause: unknown) => {
        throw sqlState(cause) === 'AC007' ? lateLine(cause) : cause;
      });
    tx.record(
      event('accounting.statement.imported', {
        statement_id: statementId,
        account_id: account.id,
        format: input.format,
        content_sha256: content,
        lines: fresh.length,
        lines_sha256: await contentOf(tx, 'statement', statementId),
      }),
    );
    return done;
  });
}

/** Ascending numbers as `2-4, 9`. */
function runs(lines: readonly number[]): string {
  const found: [number, number][] = [];
  for (const line of [...new Set(lines)].toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

const lateLine = (cause: unknown): Error =>
  booksFail(
    'reconciled',
    'The file has a new line of a day that is already reconciled. Undo that reconciliation ' +
      '(service_undo_reconciliation), import the file, and reconcile the account again.',
    { cause },
  );

async function readFile(
  { format, content, bankAccount: wanted, ...options }: StatementImport,
  currency: string,
): Promise<StatementFile> {
  let file: StatementFile;
  try {
    file =
      format === 'csv'
        ? await readCsv(content, currency, options)
        : format === 'ofx'
          ? await readOfx(content, wanted)
          : await readCamt053(content, wanted);
  } catch (cause) {
    throw booksFail(
      'invalid_statement',
      `The file cannot be read as ${format}: ${(cause as Error).message.slice(0, 1500)}.`,
      { cause },
    );
  }
  if (file.currency !== undefined && file.currency !== currency)
    throw booksFail(
      'invalid_statement',
      `The file is in ${file.currency}, but the account is in ${currency}: import it into an account in ${file.currency}.`,
    );
  if (file.lines.length > mostLines)
    throw booksFail('invalid_statement', `The file has more than ${mostLines} lines: split it by time.`);
  for (const { line, amount, description, counterparty, reference, bankId } of file.lines) {
    if (!held(amount))
      throw booksFail('invalid_statement', `Line ${line}: the amount is larger than an account can hold.`);
    if ([description, counterparty, reference, bankId].some((text) => text?.includes('\0')))
      throw booksFail(
        'invalid_statement',
        `Line ${line} contains the NUL character: the file is damaged or not a text file.`,
      );
  }
  if (![file.opening, file.closing].every(held))
    throw booksFail('invalid_statement', 'The balance is larger than an account can hold.');
  const moved = file.lines.reduce((sum, { amount }) => sum + amount, 0n);
  if (file.opening !== undefined && file.closing !== undefined && file.opening + moved !== file.closing)
    throw booksFail(
      'invalid_statement',
      'The opening balance and the lines do not add up to the closing balance: lines are missing, so download the file ' +
        'again.',
    );
  return file;
}

/** Whether the database can keep an amount. */
const held = (minor = 0n): boolean => BigInt.asIntN(64, minor) === minor;
