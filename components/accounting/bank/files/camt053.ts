import { readDecimal } from './amount.ts';
import { readDay } from './day.ts';
import { referenceIn } from './reference.ts';
import { eachLine, type FileLine, type LeftOut, ofOneAccount, type StatementFile } from './statement.ts';
import { all, at, type Element, readXml, textAt } from './xml.ts';

/**
 * ISO 20022 camt.053 (any version): the statements of one account, each beginning where the one before ends, booked entries
 * only, and which others they have; a batch whose details add up is split into them.
 * @param bankAccount IBAN or number of the account, where the file has statements of several
 * @throws Error with what is wrong, for people
 */
export async function readCamt053(source: string, bankAccount?: string): Promise<StatementFile> {
  const statements = all(at(await readXml(source), 'BkToCstmrStmt'), 'Stmt');
  const named = statements.map((statement) => ({ statement, account: accountOf(statement) }));
  const read = [];
  for (const { statement } of ofOneAccount(named, bankAccount)) read.push(await readStatement(statement));
  const ordered = read.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined)
    throw new Error('it contains no statement, which a camt.053 file must have');
  for (const [index, { line, currency, opening }] of ordered.entries()) {
    const before = ordered[index - 1];
    if (currency !== first.currency) throw new Error(`line ${line}: statements in several currencies`);
    if (before?.closing !== undefined && opening !== undefined && before.closing !== opening)
      throw new Error(
        `line ${line}: the opening balance of a statement differs from the closing balance of the statement before: a ` +
          'statement is missing, or they overlap; import them one by one',
      );
  }
  return {
    currency: first.currency,
    opening: first.opening,
    closing: last.closing,
    lines: ordered.flatMap(({ lines }) => lines),
    leftOut: ordered.flatMap(({ leftOut }) => leftOut),
  };
}

const accountOf = (statement: Element): string | undefined =>
  textAt(statement, 'Acct', 'Id', 'IBAN') ?? textAt(statement, 'Acct', 'Id', 'Othr', 'Id');

async function readStatement(statement: Element) {
  const { booked: entries = [], pending = [] } = Object.groupBy(all(statement, 'Ntry'), (entry) =>
    isBooked(entry) ? 'booked' : 'pending',
  );
  const currency =
    at(statement, 'Acct', 'Ccy')?.text ?? entries[0]?.children.find(({ name }) => name === 'Amt')?.attributes['Ccy'];
  if (currency === undefined) throw new Error('neither the account nor its entries name a currency');
  const balances = all(statement, 'Bal');
  const balance = (code: string): Element | undefined =>
    balances.find((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === code);
  const opened = balance('OPBD') ?? balance('PRCD');
  const closed = balance('CLBD');
  const [opening, closing] = await eachLine(
    [opened, closed],
    (one) => one?.line ?? 0,
    (one) => (one === undefined ? undefined : signed(one, currency)),
  );
  const lines = (
    await eachLine(
      entries,
      ({ line }) => line,
      (entry) => linesOf(entry, currency),
    )
  ).flat();
  return {
    line: statement.line,
    currency,
    opening,
    closing,
    leftOut: pending.map((entry): LeftOut => ({
      line: entry.line,
      reason: 'not_booked',
      text: textAt(entry, 'AddtlNtryInf') ?? '',
    })),
    day: lines[0]?.day ?? textAt(opened, 'Dt', 'Dt') ?? textAt(closed, 'Dt', 'Dt') ?? '',
    lines,
  };
}

/** `<Sts>BOOK</Sts>` until version 7, `<Sts><Cd>BOOK</Cd></Sts>` after; left out means booked. */
function isBooked(entry: Element): boolean {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? 'BOOK';
  return status === 'BOOK';
}

function signed(of: Element, currency: string): bigint {
  const amount = at(of, 'Amt');
  if ((amount?.attributes['Ccy'] ?? currency) !== currency) throw new Error(`the amount is not in ${currency}`);
  const minor = readDecimal(amount?.text ?? '', currency);
  return textAt(of, 'CdtDbtInd') === 'DBIT' ? -minor : minor;
}

function linesOf(entry: Element, currency: string): FileLine[] {
  const day = readDay(
    textAt(entry, 'BookgDt', 'Dt') ?? textAt(entry, 'BookgDt', 'DtTm') ?? textAt(entry, 'ValDt', 'Dt') ?? '',
  );
  if (day === undefined) throw new Error('an entry has no booking date');
  const amount = signed(entry, currency);
  const bankId = textAt(entry, 'AcctSvcrRef') ?? textAt(entry, 'NtryRef');
  const about = textAt(entry, 'AddtlNtryInf');
  const details = all(entry, 'NtryDtls').flatMap((one) => all(one, 'TxDtls'));
  const amounts = details.length > 1 ? details.map((one) => partOf(one, amount < 0n, currency)) : [];
  const whole =
    amounts.every((part) => part !== undefined) && amounts.reduce((sum, part) => sum + (part ?? 0n), 0n) === amount;
  const parts = details.length > 1 && whole ? details : details.slice(0, 1);
  const { line } = entry;
  if (parts.length === 0)
    return [{ line, day, amount, description: about ?? '', counterparty: undefined, reference: undefined, bankId }];
  return parts.map((part, index) => {
    const reference = textAt(part, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref') ?? textAt(part, 'Refs', 'EndToEndId');
    return {
      line: parts.length > 1 ? part.line : line,
      day,
      amount: parts.length > 1 ? (amounts[index] ?? amount) : amount,
      description:
        all(at(part, 'RmtInf'), 'Ustrd')
          .map(({ text }) => text)
          .join(' ') ||
        about ||
        '',
      counterparty: counterpartyOf(part, amount < 0n),
      reference: referenceIn(reference),
      bankId: bankId === undefined ? undefined : parts.length > 1 ? `${bankId}/${index + 1}` : bankId,
    };
  });
}

function partOf(part: Element, debit: boolean, currency: string): bigint | undefined {
  const amount = at(part, 'Amt') ?? at(part, 'AmtDtls', 'TxAmt', 'Amt');
  if (amount === undefined || (amount.attributes['Ccy'] ?? currency) !== currency) return undefined;
  const minor = readDecimal(amount.text, currency);
  const own = textAt(part, 'CdtDbtInd');
  return (own === undefined ? debit : own === 'DBIT') ? -minor : minor;
}

/** Who was paid, or who paid; the name moved one level down in version 8. */
function counterpartyOf(part: Element, debit: boolean): string | undefined {
  const party = at(part, 'RltdPties', debit ? 'Cdtr' : 'Dbtr');
  return textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm');
}
