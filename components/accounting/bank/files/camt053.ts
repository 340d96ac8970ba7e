import { bankAmount } from './amount.ts';
import type { FileLine, StatementFile } from './statement.ts';
import { all, at, type Element, readXml, textAt } from './xml.ts';

/**
 * ISO 20022 camt.053 (any version): one statement of one account, booked entries only; a batch whose details add up is
 * split into them.
 * @throws Error with what is wrong, for people
 */
export function readCamt053(source: string): StatementFile {
  const statements = all(at(readXml(source), 'BkToCstmrStmt'), 'Stmt');
  const [statement] = statements;
  if (statement === undefined || statements.length > 1)
    throw new Error(`a camt.053 file with one statement is expected, this one has ${statements.length}`);
  const entries = all(statement, 'Ntry').filter(isBooked);
  const currency =
    at(statement, 'Acct', 'Ccy')?.text ?? entries[0]?.children.find(({ name }) => name === 'Amt')?.attributes['Ccy'];
  if (currency === undefined) throw new Error('neither the account nor its entries name a currency');
  const balance = (code: string): bigint | undefined => {
    const found = all(statement, 'Bal').find((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === code);
    return found === undefined ? undefined : signed(found, currency);
  };
  return {
    currency,
    opening: balance('OPBD') ?? balance('PRCD'),
    closing: balance('CLBD'),
    lines: entries.flatMap((entry) => linesOf(entry, currency)),
  };
}

/** `<Sts>BOOK</Sts>` until version 7, `<Sts><Cd>BOOK</Cd></Sts>` after; left out means booked. */
function isBooked(entry: Element): boolean {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? 'BOOK';
  return status === 'BOOK';
}

function signed(of: Element, currency: string): bigint {
  const amount = at(of, 'Amt');
  if ((amount?.attributes['Ccy'] ?? currency) !== currency) throw new Error(`an amount is not in ${currency}`);
  const minor = bankAmount(amount?.text ?? '', currency);
  if (minor === undefined) throw new Error(`${JSON.stringify(amount?.text ?? '')} is no amount`);
  return textAt(of, 'CdtDbtInd') === 'DBIT' ? -minor : minor;
}

function linesOf(entry: Element, currency: string): FileLine[] {
  const day = (
    textAt(entry, 'BookgDt', 'Dt') ??
    textAt(entry, 'BookgDt', 'DtTm') ??
    textAt(entry, 'ValDt', 'Dt') ??
    ''
  ).slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error('an entry has no booking date');
  const amount = signed(entry, currency);
  const bankId = textAt(entry, 'AcctSvcrRef') ?? textAt(entry, 'NtryRef');
  const about = textAt(entry, 'AddtlNtryInf');
  const details = all(entry, 'NtryDtls').flatMap((one) => all(one, 'TxDtls'));
  const amounts = details.map((one) => partOf(one, amount < 0n, currency));
  const whole =
    amounts.every((part) => part !== undefined) && amounts.reduce((sum, part) => sum + (part ?? 0n), 0n) === amount;
  const parts = details.length > 1 && whole ? details : details.slice(0, 1);
  if (parts.length === 0)
    return [{ day, amount, description: about ?? '', counterparty: undefined, reference: undefined, bankId }];
  return parts.map((part, index) => {
    const reference = textAt(part, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref') ?? textAt(part, 'Refs', 'EndToEndId');
    return {
      day,
      amount: parts.length > 1 ? (amounts[index] ?? amount) : amount,
      description:
        all(at(part, 'RmtInf'), 'Ustrd')
          .map(({ text }) => text)
          .join(' ') ||
        about ||
        '',
      counterparty: counterpartyOf(part, amount < 0n),
      reference: reference === 'NOTPROVIDED' ? undefined : reference,
      bankId: bankId === undefined ? undefined : parts.length > 1 ? `${bankId}/${index + 1}` : bankId,
    };
  });
}

function partOf(part: Element, debit: boolean, currency: string): bigint | undefined {
  const amount = at(part, 'Amt') ?? at(part, 'AmtDtls', 'TxAmt', 'Amt');
  if (amount === undefined || (amount.attributes['Ccy'] ?? currency) !== currency) return undefined;
  const minor = bankAmount(amount.text, currency);
  if (minor === undefined) return undefined;
  const own = textAt(part, 'CdtDbtInd');
  return (own === undefined ? debit : own === 'DBIT') ? -minor : minor;
}

/** Who was paid, or who paid; the name moved one level down in version 8. */
function counterpartyOf(part: Element, debit: boolean): string | undefined {
  const party = at(part, 'RltdPties', debit ? 'Cdtr' : 'Dbtr');
  return textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm');
}
