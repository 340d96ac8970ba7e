import { bankAmount } from './amount.ts';
import type { FileLine, StatementFile } from './statement.ts';

/**
 * OFX 1.x (SGML, leaves without end tags) and 2.x (XML) alike: a leaf is a tag with text behind it, whatever closes it.
 * @throws Error with what is wrong, for people
 */
export function readOfx(source: string): StatementFile {
  const start = source.search(/<OFX>/i);
  if (start === -1) throw new Error('there is no <OFX> in it');
  const body = source.slice(start);
  if ((body.match(/<(?:STMTRS|CCSTMTRS)>/gi) ?? []).length > 1)
    throw new Error('it holds statements of several accounts: import one account at a time');
  const currency = leaf(body, 'CURDEF')?.toUpperCase();
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) throw new Error('it names no currency (CURDEF)');
  const lines = [...body.matchAll(/<STMTTRN>([\s\S]*?)(?=<\/STMTTRN>|<STMTTRN>|<\/BANKTRANLIST>|$)/gi)].map((found) =>
    lineOf(found[1] ?? '', currency),
  );
  const ledger = /<LEDGERBAL>([\s\S]*?)(?:<\/LEDGERBAL>|<AVAILBAL>|$)/i.exec(body)?.[1] ?? '';
  const closing = leaf(ledger, 'BALAMT');
  return {
    currency,
    opening: undefined,
    closing: closing === undefined ? undefined : bankAmount(closing, currency),
    lines,
  };
}

function lineOf(body: string, currency: string): FileLine {
  const posted = /^(\d{4})(\d{2})(\d{2})/.exec(leaf(body, 'DTPOSTED') ?? '');
  if (posted === null) throw new Error('a transaction has no date (DTPOSTED)');
  const text = leaf(body, 'TRNAMT') ?? '';
  const amount = bankAmount(text, currency);
  if (amount === undefined) throw new Error(`${JSON.stringify(text.slice(0, 40))} is no amount (TRNAMT)`);
  const name = leaf(body, 'NAME');
  return {
    day: `${posted[1]}-${posted[2]}-${posted[3]}`,
    amount,
    description: leaf(body, 'MEMO') ?? name ?? '',
    counterparty: name,
    reference: leaf(body, 'REFNUM') ?? leaf(body, 'CHECKNUM'),
    bankId: leaf(body, 'FITID'),
  };
}

function leaf(body: string, tag: string): string | undefined {
  const text = new RegExp(`<${tag}>([^<\\r\\n]*)`, 'i').exec(body)?.[1]?.trim();
  return text === undefined || text === '' ? undefined : plain(text);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', nbsp: ' ', quot: '"', apos: "'" };
const plain = (text: string): string =>
  text.replace(/&(?:([a-z]+)|#(\d{1,6}));/g, (whole, name?: string, code?: string) =>
    name === undefined ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : (entities[name] ?? whole),
  );
