import { createHash } from 'node:crypto';
import { money, newId, type Money } from '@steward/kernel';
import { sql, sqlState, type TenantContext } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { keepBooks } from '../permissions.ts';
import { bankAccount } from './account.ts';
import { readCamt053 } from './files/camt053.ts';
import { type CsvColumns, readCsv } from './files/csv.ts';
import { readOfx } from './files/ofx.ts';
import type { FileLine, StatementFile, StatementFormat } from './files/statement.ts';

export interface StatementImport {
  /** Code or id of the account that the bank keeps. */
  readonly account: string;
  readonly format: StatementFormat;
  readonly content: string;
  readonly columns?: CsvColumns | undefined;
  readonly dayFirst?: boolean | undefined;
}

export interface Imported {
  readonly statementId: string;
  /** Lines that are new; those known from an earlier file are left out. */
  readonly added: number;
  readonly known: number;
  readonly opening: Money | null;
  readonly closing: Money | null;
}

const mostLines = 20_000;

/**
 * Takes a bank's file: every line once, however often and in however many overlapping files it comes.
 * @throws Problem `invalid_statement` (422) that says what is wrong with the file, `reconciled` (409) where a new line is of a day
 *   that was agreed
 */
export async function importStatement(context: TenantContext, input: StatementImport): Promise<Imported> {
  return context.require(keepBooks).write(async (tx) => {
    const account = await bankAccount(tx, input.account);
    const file = readFile(input, account.currency);
    const content = createHash('sha256').update(input.content).digest('hex');
    const statementId = newId();
    const [kept] = await tx.query<{ statement_id: string }>(sql`
      insert into accounting.bank_statement (tenant_id, statement_id, account_id, format, content_sha256, currency, opening, closing)
      values (${context.tenant}::uuid, ${statementId}::uuid, ${account.id}::uuid, ${input.format}, ${content}, ${account.currency},
        ${file.opening?.toString() ?? null}::bigint, ${file.closing?.toString() ?? null}::bigint)
      on conflict (tenant_id, account_id, content_sha256) do nothing returning statement_id`);
    const lines = named(file.lines);
    const shown = (minor: bigint | undefined): Money | null =>
      minor === undefined ? null : money(minor, account.currency);
    const balances = { opening: shown(file.opening), closing: shown(file.closing) };
    if (kept === undefined) {
      const [before] = await tx.query<{ statement_id: string }>(sql`
        select statement_id from accounting.bank_statement
        where tenant_id = ${context.tenant}::uuid and account_id = ${account.id}::uuid and content_sha256 = ${content}`);
      return { statementId: before?.statement_id ?? '', added: 0, known: lines.length, ...balances };
    }
    const insert = sql`
      insert into accounting.bank_line (tenant_id, line_id, statement_id, account_id, day, amount, description, counterparty, reference, bank_id)
      select ${context.tenant}::uuid, line_id, ${statementId}::uuid, ${account.id}::uuid, day, amount, description, counterparty, reference, bank_id
      from json_to_recordset(${JSON.stringify(lines)}::json)
        as l (line_id uuid, day date, amount bigint, description text, counterparty text, reference text, bank_id text)
      on conflict (tenant_id, account_id, bank_id) do nothing returning line_id`;
    const added = await tx.query(insert).catch((cause: unknown) => {
      throw sqlState(cause) === 'AC007' ? lateLine(cause) : cause;
    });
    tx.record({
      type: 'accounting.statement.imported',
      eventVersion: '1.0.0',
      grammar: 'accounting',
      source: 'accounting',
      payload: {
        statement_id: statementId,
        account_id: account.id,
        format: input.format,
        content_sha256: content,
        lines: added.length,
      },
    });
    return { statementId, added: added.length, known: lines.length - added.length, ...balances };
  });
}

const lateLine = (cause: unknown): Error =>
  booksFail(
    'reconciled',
    'The file has a line that is new, of a day up to which the account was agreed with its bank. Take that reconciliation back ' +
      '(service_undo_reconciliation), import the file, and agree the account anew.',
    { cause },
  );

function readFile({ format, content, columns, dayFirst }: StatementImport, currency: string): StatementFile {
  let file: StatementFile;
  try {
    file =
      format === 'csv'
        ? readCsv(content, currency, columns, dayFirst)
        : format === 'ofx'
          ? readOfx(content)
          : readCamt053(content);
  } catch (cause) {
    throw booksFail(
      'invalid_statement',
      `The file cannot be read as ${format}: ${(cause as Error).message.slice(0, 300)}.`,
      { cause },
    );
  }
  if (file.currency !== undefined && file.currency !== currency)
    throw booksFail('invalid_statement', `The file is in ${file.currency}, the account in ${currency}.`);
  if (file.lines.length > mostLines)
    throw booksFail('invalid_statement', `A file has up to ${mostLines} lines; split it by time.`);
  for (const { day, amount, description, counterparty, reference, bankId } of file.lines) {
    if (!held(amount)) throw booksFail('invalid_statement', `The amount of ${day} is larger than an account can hold.`);
    if ([description, counterparty, reference, bankId].some((text) => text?.includes('\0')))
      throw booksFail(
        'invalid_statement',
        `The line of ${day} holds the NUL character: the file is damaged, or no text.`,
      );
  }
  if (![file.opening, file.closing].every(held))
    throw booksFail('invalid_statement', 'The balance is larger than an account can hold.');
  const moved = file.lines.reduce((sum, { amount }) => sum + amount, 0n);
  if (file.opening !== undefined && file.closing !== undefined && file.opening + moved !== file.closing)
    throw booksFail(
      'invalid_statement',
      'Opening balance and lines do not make the closing balance: the file is not whole.',
    );
  return file;
}

/** Whether the database can keep an amount. */
const held = (minor = 0n): boolean => BigInt.asIntN(64, minor) === minor;

/** Without an id of the bank's, a line is known by what it says and by how many alike stand before it in the file. */
function named(lines: readonly FileLine[]) {
  const alike = new Map<string, number>();
  return lines
    .filter(({ amount }) => amount !== 0n)
    .map(({ day, amount, description, counterparty, reference, bankId }) => {
      const text = JSON.stringify([day, amount.toString(), description, counterparty ?? '', reference ?? '']);
      const nth = (alike.get(text) ?? 0) + 1;
      alike.set(text, nth);
      const digest = createHash('sha256').update(`${text}\n${nth}`).digest('hex').slice(0, 32);
      return {
        line_id: newId(),
        day,
        amount: amount.toString(),
        description: description.slice(0, 2000),
        counterparty: counterparty?.slice(0, 500) ?? null,
        reference: reference?.slice(0, 500) ?? null,
        bank_id: bankId === undefined ? `line:${digest}` : `bank:${bankId}`.slice(0, 300),
      };
    });
}
