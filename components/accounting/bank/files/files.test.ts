import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bankAmount } from './amount.ts';
import { readCamt053 } from './camt053.ts';
import { readCsv } from './csv.ts';
import { readOfx } from './ofx.ts';
import { readXml } from './xml.ts';

test('amounts are read as banks write them, and never guessed', () => {
  for (const [text, currency, minor] of [
    ['1,234.56', 'USD', 123456n],
    ['1.234,56', 'EUR', 123456n],
    ['-1 234,5', 'EUR', -123450n],
    ["1'234.50", 'CHF', 123450n],
    ['(12.00)', 'USD', -1200n],
    ['\u221212', 'EUR', -1200n],
    ['1.234', 'EUR', 123400n],
    ['1.234', 'KWD', 1234n],
    ['1,234', 'JPY', 1234n],
    ['+0.05', 'EUR', 5n],
    ['90071992547409.93', 'USD', 9007199254740993n],
    ['5.000', 'JPY', 5000n],
  ] as const)
    assert.equal(bankAmount(text, currency), minor, text);
  for (const text of ['', '-', '1,2,3.4,5', `1.${'0'.repeat(64)}`, '12a', '1.2345', 'NaN', '1e5', '٣'])
    assert.equal(bankAmount(text, 'EUR'), undefined, text);
});

describe('CAMT.053', () => {
  const entry = (inner: string, amount = '100.00', indicator = 'CRDT', status = '<Sts><Cd>BOOK</Cd></Sts>'): string =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>${status}<BookgDt><Dt>2026-03-02</Dt></BookgDt>${inner}</Ntry>`;
  const document = (entries: string, closing = '1100.00'): string => `<?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct>
    <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
    <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${closing}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
    ${entries}</Stmt></BkToCstmrStmt></Document>`;

  test('gives balances and booked entries, with who paid and what for', () => {
    const details = `<AcctSvcrRef>B-1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E2E-7</EndToEndId></Refs>
      <RltdPties><Dbtr><Pty><Nm>Müller &amp; Söhne</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>Invoice</Ustrd><Ustrd>INV-1</Ustrd></RmtInf></TxDtls></NtryDtls>`;
    const file = readCamt053(document(entry(details) + entry('', '9.99', 'DBIT', '<Sts><Cd>PDNG</Cd></Sts>')));
    assert.deepEqual([file.currency, file.opening, file.closing], ['EUR', 100000n, 110000n]);
    assert.deepEqual(file.lines, [
      {
        day: '2026-03-02',
        amount: 10000n,
        description: 'Invoice INV-1',
        counterparty: 'Müller & Söhne',
        reference: 'E2E-7',
        bankId: 'B-1',
      },
    ]);
  });

  test('splits a batch whose details add up, and only such', () => {
    const part = (amount: string): string => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
    const batch = (...parts: string[]): string =>
      document(entry(`<NtryRef>N</NtryRef><NtryDtls>${parts.map(part).join('')}</NtryDtls>`));
    assert.deepEqual(
      readCamt053(batch('60.00', '40.00')).lines.map(({ amount, bankId }) => [amount, bankId]),
      [
        [6000n, 'N/1'],
        [4000n, 'N/2'],
      ],
    );
    assert.deepEqual(
      readCamt053(batch('60.00', '41.00')).lines.map(({ amount }) => amount),
      [10000n],
    );
  });

  test('refuses document types, other currencies, missing dates, two statements and what is no XML', () => {
    for (const source of [
      `<!DOCTYPE x [<!ENTITY a "b">]>${document('')}`,
      document(entry('').replace('Ccy="EUR"', 'Ccy="USD"')),
      document(entry('').replace(/<BookgDt>.*<\/BookgDt>/, '')),
      document('').replace('</Stmt>', '</Stmt><Stmt/>'),
      '<a><b></a>',
      '',
      `${'<a>'.repeat(1000)}`,
      document(entry('', '1e9')),
    ])
      assert.throws(() => readCamt053(source), Error, source.slice(0, 80));
    assert.throws(() => readXml('<a>&xxe;</a>'));
  });
});

describe('OFX', () => {
  const sgml = `OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKTRANLIST><DTSTART>20260301
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302120000.000[-5:EST]<TRNAMT>1,250.00<FITID>F1<NAME>ACME &amp; CO<MEMO>Invoice 7</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260303<TRNAMT>-12.34<FITID>F2<NAME>Cafe
</BANKTRANLIST><LEDGERBAL><BALAMT>2237.66<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

  test('is read as SGML without end tags and as XML alike', () => {
    const file = readOfx(sgml);
    assert.deepEqual([file.currency, file.closing], ['USD', 223766n]);
    assert.deepEqual(file.lines, [
      {
        day: '2026-03-02',
        amount: 125000n,
        description: 'Invoice 7',
        counterparty: 'ACME & CO',
        reference: undefined,
        bankId: 'F1',
      },
      {
        day: '2026-03-03',
        amount: -1234n,
        description: 'Cafe',
        counterparty: 'Cafe',
        reference: undefined,
        bankId: 'F2',
      },
    ]);
    const xml = `<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><STMTRS><CURDEF>USD</CURDEF><BANKTRANLIST><STMTTRN><DTPOSTED>20260302</DTPOSTED><TRNAMT>5.00</TRNAMT><FITID>X</FITID><NAME>A</NAME></STMTTRN></BANKTRANLIST></STMTRS></OFX>`;
    assert.deepEqual(
      readOfx(xml).lines.map(({ amount, bankId }) => [amount, bankId]),
      [[500n, 'X']],
    );
  });

  test('refuses what has no date, no amount, no currency or several accounts', () => {
    for (const source of [
      '',
      'x',
      sgml.replace('<CURDEF>USD', ''),
      sgml.replace('20260303', ''),
      sgml.replace('-12.34', 'abc'),
      sgml.replace('<STMTRS>', '<STMTRS></STMTRS><STMTRS>'),
    ])
      assert.throws(() => readOfx(source), Error);
  });
});

describe('CSV', () => {
  test('finds customary columns in any order, with any of the marks', () => {
    const file = readCsv('\ufeffBuchungstag;Betrag;Verwendungszweck\n02.03.2026;-1.234,56;"Miete; März"\n\n', 'EUR');
    assert.deepEqual(file.lines, [
      {
        day: '2026-03-02',
        amount: -123456n,
        description: 'Miete; März',
        counterparty: undefined,
        reference: undefined,
        bankId: undefined,
      },
    ]);
    const two = readCsv('Date,Paid in,Paid out,Details\n2026-03-01,10.00,,In\n2026-03-02,,4.00,Out\n', 'GBP');
    assert.deepEqual(
      two.lines.map(({ amount }) => amount),
      [1000n, -400n],
    );
    const named = readCsv('When,How much\n13/02/2026,5.00\n', 'EUR', { date: 'When', amount: 'how much' });
    assert.equal(named.lines[0]?.day, '2026-02-13');
  });

  test('refuses a date that reads two ways unless told which, and says the line', () => {
    const text = 'Date,Amount\n2026-01-01,1.00\n01/02/2026,5.00\n';
    assert.throws(() => readCsv(text, 'USD'), /line 3: "01\/02\/2026"/);
    assert.equal(readCsv(text, 'USD', {}, true).lines[1]?.day, '2026-02-01');
    assert.equal(readCsv(text, 'USD', {}, false).lines[1]?.day, '2026-01-02');
    for (const bad of [
      'Date,Amount\n2026-02-30,1.00\n',
      'Date,Amount\n2026-02-03,1.0051\n',
      'A,B\n1,2\n',
      '',
      'Date,Amount\n"2026',
    ])
      assert.throws(() => readCsv(bad, 'USD'), Error, bad);
  });
});
