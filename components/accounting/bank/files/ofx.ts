import { createPace, dictionary } from '@steward/kernel';
import { readAmount, readDecimal } from './amount.ts';
import { readDay } from './day.ts';
import { referenceIn } from './reference.ts';
import { eachLine, type FileLine, type LeftOut, ofOneAccount, type StatementFile } from './statement.ts';

const mostStatements = 1_000;

/** Forty times what OFX takes anywhere. */
const longestValue = 10_000;

/** Of one account, from `STMTRS` to the next. */
interface Body {
  readonly from: number;
  readonly body: string;
}

/**
 * OFX 1.x (SGML, leaves without end tags) and 2.x (XML) alike: a leaf is a tag with text after it, whatever closes it.
 * @param bankAccount number of the account, where the file has statements of several
 * @throws Error with what is wrong, for people
 */
export async function readOfx(source: string, bankAccount?: string): Promise<StatementFile> {
  const start = source.search(/<OFX>/i);
  if (start === -1) throw new Error('there is no <OFX> in it');
  const begins: number[] = [];
  for (const { index } of source.slice(start).matchAll(/<(?:CC)?STMTRS>/gi))
    if (begins.push(start + index) > mostStatements)
      throw new Error(`it contains more than ${mostStatements} statements: import them in several files`);
  const bodies = begins.map((from, index): Body => ({ from, body: source.slice(from, begins[index + 1]) }));
  const pace = createPace();
  const named: (Body & { readonly account: string | undefined })[] = [];
  for (const one of bodies) {
    if (pace.due()) await pace.rest();
    named.push({ ...one, account: leaf(head(one.body), 'ACCTID') });
  }
  const statements = ofOneAccount(named, bankAccount);
  if (statements.length === 0) throw new Error('there is no statement in it (STMTRS, CCSTMTRS)');
  if (statements.length > 1 && statements.some(({ account }) => account === undefined))
    throw new Error('it contains several statements and does not name their accounts: import one at a time');
  const currency = leaf(head(statements[0]?.body ?? ''), 'CURDEF')?.toUpperCase();
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) throw new Error('it names no currency (CURDEF)');
  if (statements.some(({ body }) => leaf(head(body), 'CURDEF')?.toUpperCase() !== currency))
    throw new Error('its statements are in several currencies: import one at a time');
  /** One after the other, as they are read: a file of nothing but tags has a hundred thousand. */
  function* linesOf(pattern: RegExp) {
    const at = lineCounter(source);
    for (const { from, body } of statements)
      for (const one of body.matchAll(pattern)) yield { line: at(from + one.index), body: one[1] ?? '' };
  }
  const found = linesOf(/<STMTTRN>([\s\S]*?)(?=<\/STMTTRN>|<STMTTRNP?>|<\/BANKTRANLIST>|$)/gi);
  const pending = linesOf(/<STMTTRNP>([\s\S]*?)(?=<\/STMTTRNP>|<STMTTRNP?>|<\/BANKTRANLISTP>|$)/gi);
  const last = statements.at(-1)?.body ?? '';
  const ledger = /<LEDGERBAL>([\s\S]*?)(?:<\/LEDGERBAL>|<AVAILBAL>|$)/i.exec(last)?.[1] ?? '';
  const closing = leaf(ledger, 'BALAMT');
  return {
    currency,
    opening: undefined,
    closing: closing === undefined ? undefined : amountOf(closing, currency),
    lines: await eachLine(
      found,
      ({ line }) => line,
      (one) => lineOf(one, currency),
    ),
    leftOut: await eachLine(
      pending,
      ({ line }) => line,
      (one): LeftOut => ({
        line: one.line,
        reason: 'not_booked',
        text: leaf(one.body, 'MEMO') ?? leaf(one.body, 'NAME') ?? '',
      }),
    ),
  };
}

/** The text before the transactions. */
const head = (body: string): string => {
  const end = body.search(/<STMTTRN>/i);
  return end === -1 ? body : body.slice(0, end);
};

/** Answers the line of a place. Ask for places in order, so that it reads the text once. */
function lineCounter(source: string): (index: number) => number {
  let [line, next] = [1, source.indexOf('\n')];
  return (index) => {
    for (; next !== -1 && next < index; next = source.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}

function lineOf({ line, body }: { readonly line: number; readonly body: string }, currency: string): FileLine {
  const posted = leaf(body, 'DTPOSTED') ?? '';
  const day = readDay(posted.slice(0, 8));
  if (day === undefined) throw new Error('a transaction has no date (DTPOSTED)');
  const amount = amountOf(leaf(body, 'TRNAMT') ?? '', currency);
  const name = leaf(body, 'NAME');
  return {
    line,
    day,
    amount,
    description: leaf(body, 'MEMO') ?? name ?? '',
    counterparty: name,
    reference: referenceIn(leaf(body, 'REFNUM')) ?? referenceIn(leaf(body, 'CHECKNUM')),
    bankId: leaf(body, 'FITID'),
  };
}

/** OFX has one decimal mark and no thousands (3.2.9.2); banks that group them show by the other mark which is which. */
const amountOf = (text: string, currency: string): bigint =>
  text.includes('.') && text.includes(',') ? readAmount(text, currency) : readDecimal(text, currency, '.,');

function leaf(body: string, tag: string): string | undefined {
  const text = new RegExp(`<${tag}>([^<\\r\\n]*)`, 'i').exec(body)?.[1]?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length > longestValue) throw new Error(`a value (${tag}) is longer than ${longestValue} characters`);
  return plain(text);
}

const entities = dictionary<string>({ lt: '<', gt: '>', amp: '&', nbsp: ' ', quot: '"', apos: "'" });
const plain = (text: string): string =>
  text.replace(/&(?:([a-z]{1,6})|#(\d{1,6}));/g, (whole, name?: string, code?: string) =>
    name === undefined ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : (entities[name] ?? whole),
  );
