import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { readChart } from '../../opening/chart-file.ts';
import { markShown, readAmount, readDecimal } from './amount.ts';
import { readDay } from './day.ts';
import { readCamt053 } from './camt053.ts';
import { readCsv } from './csv.ts';
import { readOfx } from './ofx.ts';
import { stretch } from './statement.ts';
import { readXml } from './xml.ts';

test('amounts are read as banks write them, and never guessed', async () => {
  for (const [text, currency, minor] of [
    ['1,234.56', 'USD', 123456n],
    ['1.234,56', 'EUR', 123456n],
    ['-1 234,5', 'EUR', -123450n],
    ["1'234.50", 'CHF', 123450n],
    ['1\u2019234.50', 'CHF', 123450n],
    ['(12.00)', 'USD', -1200n],
    ['\u221212', 'EUR', -1200n],
    ['1.234.567', 'EUR', 123456700n],
    ['12,34,567.89', 'INR', 123456789n],
    ['1.234', 'KWD', 1234n],
    ['1,234', 'JPY', 1234n],
    ['5,000', 'JPY', 5000n],
    ['+0.05', 'EUR', 5n],
    ['.50', 'USD', 50n],
    ['12.5000', 'EUR', 1250n],
    ['1234.500', 'EUR', 123450n],
    ['0.120', 'EUR', 12n],
    ['4,50-', 'EUR', -450n],
    ['4.50 DR', 'GBP', -450n],
    ['4.50CR', 'GBP', 450n],
    ['-4,50 €', 'EUR', -450n],
    ['€ -4,50', 'EUR', -450n],
    ['$1,234.56', 'USD', 123456n],
    ['-$5.00', 'CAD', -500n],
    ['EUR 4,50-', 'EUR', -450n],
    ['1 234,50 zł', 'PLN', 123450n],
    ['R$ 10,00', 'BRL', 1000n],
    ['90071992547409.93', 'USD', 9007199254740993n],
  ] as const)
    assert.equal(readAmount(text, currency), minor, text);
  for (const text of [
    '',
    '-',
    '1,2,3.4,5',
    '12a',
    '1.2345',
    'NaN',
    '1e5',
    '٣',
    '--5',
    '-5-',
    '$5',
    '1.23.456',
    '9'.repeat(65),
  ])
    assert.throws(() => readAmount(text, 'EUR'), Error, text);
  for (const text of ['0.125', '12.345,678', '1234.567'])
    assert.throws(() => readAmount(text, 'EUR'), /too many decimals/, text);
  for (const [text, currency] of [
    ['100.000', 'EUR'],
    ['-12.500', 'EUR'],
    ['1,234', 'USD'],
    ['5.000', 'JPY'],
  ] as const) {
    assert.throws(() => readAmount(text, currency), /is ambiguous.*decimal_mark/, text);
    assert.equal(markShown(text, currency), undefined, text);
  }
  assert.deepEqual(
    [readAmount('100.000', 'EUR', ','), readAmount('100.000', 'EUR', '.'), readAmount('-12,500', 'EUR', ',')],
    [10000000n, 10000n, -1250n],
  );
});

test('decimals of standard files have a decimal mark and no thousands', async () => {
  assert.deepEqual(
    [
      readDecimal('100.000', 'EUR'),
      readDecimal('-12.500', 'USD', '.,'),
      readDecimal('12,5', 'EUR', '.,'),
      readDecimal('7', 'JPY'),
    ],
    [10000n, -1250n, 1250n, 7n],
  );
  for (const text of ['1,234.56', '100,00', '0.125', '1 000', '', '9'.repeat(70)])
    assert.throws(() => readDecimal(text, 'EUR'), Error, text);
});

test('days are read in the forms of banks, and none that is not in the calendar', async () => {
  for (const text of [
    '2026-02-01',
    '20260201',
    '2026/2/1',
    '01.02.2026',
    '1.2.26',
    '01.02.26',
    '1 Feb 2026',
    'Feb 1, 2026',
    'February 1, 2026',
    '01-feb-26',
    '2026-02-01T10:00:00Z',
  ])
    assert.equal(readDay(text), '2026-02-01', text);
  assert.deepEqual(
    [readDay('13/02/26'), readDay('02/13/2026'), readDay('01/02/26', 'day')],
    ['2026-02-13', '2026-02-13', '2026-02-01'],
  );
  for (const text of [
    '',
    '01/02/2026',
    '31.02.2026',
    '20261301',
    '9999-12-31',
    '31.03.2026 Balance',
    '2026-1-',
    'x'.repeat(1e5),
  ])
    assert.equal(readDay(text), undefined, text.slice(0, 40));
});

describe('CAMT.053', () => {
  const entry = (inner: string, amount = '100.00', indicator = 'CRDT', status = '<Sts><Cd>BOOK</Cd></Sts>'): string =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>${status}<BookgDt><Dt>2026-03-02</Dt></BookgDt>${inner}</Ntry>`;
  const document = (entries: string, closing = '1100.00'): string => `<?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct>
    <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
    <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${closing}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
    ${entries}</Stmt></BkToCstmrStmt></Document>`;

  test('gives balances and booked entries, with who paid and what for', async () => {
    const details = `<AcctSvcrRef>B-1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E2E-7</EndToEndId></Refs>
      <RltdPties><Dbtr><Pty><Nm>Müller &amp; Söhne</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>Invoice</Ustrd><Ustrd>INV-1</Ustrd></RmtInf></TxDtls></NtryDtls>`;
    const file = await readCamt053(document(entry(details) + entry('', '9.99', 'DBIT', '<Sts><Cd>PDNG</Cd></Sts>')));
    assert.deepEqual([file.currency, file.opening, file.closing], ['EUR', 100000n, 110000n]);
    assert.deepEqual(file.lines, [
      {
        line: 5,
        day: '2026-03-02',
        amount: 10000n,
        description: 'Invoice INV-1',
        counterparty: 'Müller & Söhne',
        reference: 'E2E-7',
        bankId: 'B-1',
      },
    ]);
    assert.deepEqual(file.leftOut, [{ line: 6, reason: 'not_booked', text: '' }]);
  });

  test('splits a batch whose details add up, and only such', async () => {
    const part = (amount: string): string => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
    const batch = (...parts: string[]): string =>
      document(entry(`<NtryRef>N</NtryRef><NtryDtls>${parts.map(part).join('')}</NtryDtls>`));
    assert.deepEqual(
      (await readCamt053(batch('60.00', '40.00'))).lines.map(({ amount, bankId }) => [amount, bankId]),
      [
        [6000n, 'N/1'],
        [4000n, 'N/2'],
      ],
    );
    assert.deepEqual(
      (await readCamt053(batch('60.00', '41.00'))).lines.map(({ amount }) => amount),
      [10000n],
    );
  });

  test('takes several statements of one account in the order of their days, and of several accounts the one that is named', async () => {
    const first = document(entry('<AcctSvcrRef>1</AcctSvcrRef>'));
    const second = document(entry('<AcctSvcrRef>1</AcctSvcrRef>', '5.00', 'DBIT'), '1095.00')
      .replace('1000.00', '1100.00')
      .replaceAll('2026-03-02', '2026-03-03');
    const both = (a: string, b: string): string =>
      a.replace('</Stmt>', `</Stmt>${/<Stmt>.*<\/Stmt>/s.exec(b)?.[0] ?? ''}`);
    for (const source of [both(first, second), both(second, first)]) {
      const file = await readCamt053(source);
      assert.deepEqual([file.opening, file.closing], [100000n, 109500n]);
      assert.deepEqual(
        file.lines.map(({ day, amount, bankId }) => [day, amount, bankId]),
        [
          ['2026-03-02', 10000n, '1'],
          ['2026-03-03', -500n, '1'],
        ],
      );
    }
    await assert.rejects(
      async () => readCamt053(both(first, first)),
      /line \d+: the opening balance of a statement differs/,
    );
    const of = (iban: string, source: string): string =>
      source.replace('<Acct>', `<Acct><Id><IBAN>${iban}</IBAN></Id>`);
    const two = both(of('DE01', first), of('DE02', second));
    await assert.rejects(async () => readCamt053(two), /bank_account to one of DE01, DE02/);
    assert.deepEqual((await readCamt053(two, 'de 02')).closing, 109500n);
    await assert.rejects(async () => readCamt053(two, 'DE03'), /no statement of DE03/);
  });

  test('reads a point as the decimal one, whatever stands behind it, and names the line of what is no amount', async () => {
    assert.equal((await readCamt053(document(entry('', '100.000')))).lines[0]?.amount, 10000n);
    await assert.rejects(
      async () => readCamt053(document(`${entry('')}\n${entry('', '100,00')}\n${entry('', '0.125')}`)),
      /line 6: .*100,00.*; line 7: .*too many decimals/,
    );
  });

  test('refuses document types, other currencies, missing dates, two statements and what is no XML', async () => {
    for (const source of [
      `<!DOCTYPE x [<!ENTITY a "b">]>${document('')}`,
      document(entry('').replace('Ccy="EUR"', 'Ccy="USD"')),
      document(entry('').replace(/<BookgDt>.*<\/BookgDt>/, '')),
      document(entry('', '100,00')),
      document(entry('', '0.125')),
      document(entry('').replace('2026-03-02', '2026-02-31')),
      document('').replace('</Stmt>', '</Stmt><Stmt/>'),
      '<a><b></a>',
      '',
      `${'<a>'.repeat(1000)}`,
      document(entry('', '1e9')),
    ])
      await assert.rejects(async () => readCamt053(source), Error, source.slice(0, 80));
    await assert.rejects(async () => readXml('<a>&xxe;</a>'));
  });

  test('refuses a tag of very many attributes before it looks at them, and nesting that goes deep', async () => {
    for (const name of ['b', 'xmlns:b']) {
      const many = Array.from({ length: 60_000 }, (_, index) => `${name}${index}="c"`).join(' ');
      await assert.rejects(async () => readXml(`<a ${many}/>`), /a tag has more than 50 attributes/);
      // Not even well-formed behind the limit: nothing looked there.
      await assert.rejects(async () => readXml(`<a ${many.slice(0, 2000)}<<<`), /a tag has more than 50 attributes/);
    }
    const few = Array.from({ length: 50 }, (_, index) => `b${index}="c"`).join(' ');
    assert.equal(
      Object.keys((await readXml(`<r>${`<a ${few}/>`.repeat(3)}</r>`)).children[2]?.attributes ?? {}).length,
      50,
    );
    await assert.rejects(async () => readXml('<a>'.repeat(300_000)), /too deep/);
  });

  test('is read with ever so many entities, and only with those of XML', async () => {
    const { text } = await readXml(`<a b="${'&amp;'.repeat(1000)}">${'&#65;'.repeat(100_000)}</a>`);
    assert.equal(text, 'A'.repeat(100_000));
    await assert.rejects(async () => readXml(`<a b="${'&lol;'.repeat(1000)}"/>`), /undefined entity|lol/);
  });
});

describe('OFX', () => {
  const sgml = `OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKTRANLIST><DTSTART>20260301
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302120000.000[-5:EST]<TRNAMT>1,250.00<FITID>F1<NAME>ACME &amp; CO<MEMO>Invoice 7</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260303<TRNAMT>-12.34<FITID>F2<NAME>Cafe
</BANKTRANLIST><LEDGERBAL><BALAMT>2237.66<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

  test('is read as SGML without end tags and as XML alike', async () => {
    const file = await readOfx(sgml);
    assert.deepEqual([file.currency, file.closing], ['USD', 223766n]);
    assert.deepEqual(file.lines, [
      {
        line: 5,
        day: '2026-03-02',
        amount: 125000n,
        description: 'Invoice 7',
        counterparty: 'ACME & CO',
        reference: undefined,
        bankId: 'F1',
      },
      {
        line: 6,
        day: '2026-03-03',
        amount: -1234n,
        description: 'Cafe',
        counterparty: 'Cafe',
        reference: undefined,
        bankId: 'F2',
      },
    ]);
    assert.deepEqual(
      (await readOfx(sgml.replace('-12.34', '-12.500').replace('1,250.00', '12,5'))).lines.map(({ amount }) => amount),
      [1250n, -1250n],
    );
    await assert.rejects(async () => readOfx(sgml.replace('-12.34', '-12.345')), /line 6: .*too many decimals/);
    const xml = `<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><STMTRS><CURDEF>USD</CURDEF><BANKTRANLIST><STMTTRN><DTPOSTED>20260302</DTPOSTED><TRNAMT>5.00</TRNAMT><FITID>X</FITID><NAME>A</NAME></STMTTRN></BANKTRANLIST></STMTRS></OFX>`;
    const pending = `<BANKTRANLISTP>\n<STMTTRNP><DTTRAN>20260303<TRNAMT>-7.00<NAME>Hotel</BANKTRANLISTP>`;
    assert.deepEqual((await readOfx(xml.replace('</STMTRS>', `${pending}</STMTRS>`))).leftOut, [
      { line: 2, reason: 'not_booked', text: 'Hotel' },
    ]);
    assert.deepEqual(
      (await readOfx(xml)).lines.map(({ amount, bankId }) => [amount, bankId]),
      [[500n, 'X']],
    );
  });

  test('of very many tags and no line break costs no more than its length', async () => {
    const start = '<OFX><STMTRS><CURDEF>EUR';
    for (const tag of ['<STMTTRN>', '<STMTTRNP>', '<STMTRS>', '<LEDGERBAL>', '<NAME>', '&#1;', '<'])
      for (const head of [start, `${start}<STMTTRN><DTPOSTED>20260302<TRNAMT>1<NAME>`]) {
        const source = head + tag.repeat(890_000 / tag.length);
        // Whoever else uses the processor, or a collection of garbage, may lengthen a stretch, though not three times.
        let held = Number.POSITIVE_INFINITY;
        for (let attempt = 0; attempt < 3 && held >= 100; attempt += 1)
          held = Math.min(held, await longestStretch(async () => readOfx(source).catch(() => undefined)));
        assert.ok(held < 100, `${held} ms for ${tag}`);
      }
  });

  test('refuses what has no date, no amount, no currency or several accounts', async () => {
    for (const source of [
      '',
      'x',
      sgml.replace('<CURDEF>USD', ''),
      sgml.replace('20260303', ''),
      sgml.replace('20260303', '20260231'),
      sgml.replace('-12.34', 'abc'),
      sgml.replace('<STMTRS>', '<STMTRS></STMTRS><STMTRS>'),
    ])
      await assert.rejects(async () => readOfx(source), Error);
    await assert.rejects(
      async () => readOfx(sgml.replace('<NAME>', `<NAME>${'x'.repeat(10_000)}`)),
      /line \d+: a value \(NAME\) is longer than 10000/,
    );
    await assert.rejects(async () => readOfx(sgml + '<STMTRS>'.repeat(1_000)), /more than 1000 statements/);
  });
});

describe('CSV', () => {
  test('that is wider than any table is refused by line before it is read', async () => {
    const wide = `date,amount,description\n2026-03-03,1,x${','.repeat(440_000)}`;
    await assert.rejects(async () => readCsv(wide, 'EUR'), /line 2 has more than 500 fields/);
    for (const mark of [';', '\t', ',', '|'])
      await assert.rejects(async () => readCsv(mark.repeat(900_000), 'EUR'), /line 1 has more than 500 fields/);
  });

  test('a byte order mark before a file of any format changes nothing', async () => {
    const camt = `<Document><BkToCstmrStmt><Stmt><Acct><Ccy>EUR</Ccy></Acct></Stmt></BkToCstmrStmt></Document>`;
    const ofx =
      'OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>';
    assert.deepEqual(await readCamt053(`\ufeff${camt}`), await readCamt053(camt));
    assert.deepEqual(await readOfx(`\ufeff${ofx}`), await readOfx(ofx));
    const csv = 'date,amount,description\n2026-03-02,1.00,x\n';
    assert.deepEqual(await readCsv(`\ufeff${csv}`, 'EUR'), await readCsv(csv, 'EUR'));
    const chart = 'code,name,type\n1900,Café,bank\n';
    assert.deepEqual(readChart(`\ufeff${chart}`), readChart(chart));
  });

  test('finds customary columns in any order, with any of the marks', async () => {
    const file = await readCsv(
      '\ufeffBuchungstag;Betrag;Verwendungszweck\n02.03.2026;-1.234,56;"Miete; März"\n\n',
      'EUR',
    );
    assert.deepEqual(file.lines, [
      {
        line: 2,
        day: '2026-03-02',
        amount: -123456n,
        description: 'Miete; März',
        counterparty: undefined,
        reference: undefined,
        bankId: undefined,
      },
    ]);
    const two = await readCsv('Date,Paid in,Paid out,Details\n2026-03-01,10.00,,In\n2026-03-02,,4.00,Out\n', 'GBP');
    assert.deepEqual(
      two.lines.map(({ amount }) => amount),
      [1000n, -400n],
    );
    const named = await readCsv('When,How much\n13/02/2026,5.00\n', 'EUR', {
      columns: { date: 'When', amount: 'how much' },
    });
    assert.equal(named.lines[0]?.day, '2026-02-13');
  });

  test('leaves out what its bank has not booked, wherever it stands, and says which', async () => {
    const text = [
      'Type,Started Date,Completed Date,Description,Amount,State',
      'CARD_PAYMENT,2026-02-01 10:00:00,,Hotel,-80.00,PENDING',
      'TOPUP,2026-02-01 11:00:00,2026-02-02 11:00:00,Top-up,100.00,COMPLETED',
      'TRANSFER,2026-02-01 12:00:00,2026-02-02 12:00:00,Taken back,-5.00,REVERTED',
      'TRANSFER,2026-02-01 13:00:00,2026-02-02 13:00:00,Rent,-50.00,a word of its own',
      'CARD_PAYMENT,2026-02-03 10:00:00,,Café,-3.00,pending',
    ].join('\n');
    const file = await readCsv(text, 'EUR');
    assert.deepEqual(
      file.lines.map(({ line, amount }) => [line, amount]),
      [
        [3, 10_000n],
        [5, -5_000n],
      ],
    );
    assert.deepEqual(
      file.leftOut.map(({ line, reason }) => [line, reason]),
      [
        [2, 'not_booked'],
        [4, 'not_booked'],
        [6, 'not_booked'],
      ],
    );
    const written = [
      'Pending (card)',
      'PENDING\u2026',
      'pe\u200bnding',
      '\uff30\uff25\uff2e\uff24\uff29\uff2e\uff27',
      'Nicht gebucht',
      'Booked (was pending)',
      '-',
    ];
    const rows = written.map((status, at) => `2026-02-0${at + 1},${at + 1}.00,${status}\n`).join('');
    assert.deepEqual(
      (await readCsv(`Date,Amount,Status\n${rows}`, 'EUR')).lines.map(({ amount }) => amount),
      [600n, 700n],
    );
    const named = 'Date,Amount,How\n2026-02-01,1.00,Vorgemerkt\n2026-02-02,2.00,Gebucht\n';
    assert.equal((await readCsv(named, 'EUR', { columns: { status: 'How' } })).lines.length, 1);
    assert.equal((await readCsv(named, 'EUR')).lines.length, 2, 'no column of that name is known');
  });

  test('reads statements of Japanese banks', async () => {
    for (const text of [
      '"日付","摘要","摘要内容","支払い金額","預かり金額","差引残高","メモ"\n"2026/3/2","振込１","ﾔﾏﾀﾞ","","12,000","112,000",""\n"2026/3/3","口座振替","電気","3,500","","108,500",""',
      '年月日,お引出し,お預入れ,お取り扱い内容,残高\n2026年3月2日,,12000,ﾔﾏﾀﾞ,112000\nR8.3.3,3500,,電気,108500',
      '年月日,お引出し,お預入れ,お取り扱い内容\n令和8年3月2日,,12000,ﾔﾏﾀﾞ\n2026年3月3日,3500,,電気',
      '"取引日","入出金(円)","取引後残高(円)","入出金内容"\n"20260302","12000","112000","ﾔﾏﾀﾞ"\n"20260303","-3500","108500","電気"',
      '"日付","内容","出金金額(円)","入金金額(円)","残高(円)","メモ"\n"2026/03/02","ﾔﾏﾀﾞ","","12,000","112,000","-"\n"2026/03/03","電気","3,500円","","108,500","-"',
      '取引日,受入金額（円）,払出金額（円）,詳細１\n20260302,12000,,ﾔﾏﾀﾞ\n20260303,,￥3500,電気',
    ]) {
      const { lines } = await readCsv(text, 'JPY');
      assert.deepEqual(
        lines.map(({ day, amount, description }) => [day, amount, description]),
        [
          ['2026-03-02', 12000n, 'ﾔﾏﾀﾞ'],
          ['2026-03-03', -3500n, '電気'],
        ],
        text,
      );
    }
  });

  test('takes which way an amount without sign went from the column that says so, whatever its heading', async () => {
    const way = (heading: string, out: string, into: string): string =>
      `日付,${heading},金額,摘要\n2026/03/02,${into},12000,ﾔﾏﾀﾞ\n2026/03/03,${out},3500,電気`;
    for (const text of [
      way('入払区分', '出金', '入金'),
      way('区分', '出', '入'),
      way('お取引', '払出し', '預入れ'),
      way('Transaction Type', 'Debit', 'Credit'),
      way('Type', 'WITHDRAWAL', 'Deposit'),
      way('Mouvement', 'Débit', 'Crédit'),
    ])
      assert.deepEqual(
        (await readCsv(text, 'JPY')).lines.map(({ amount }) => amount),
        [12000n, -3500n],
        text,
      );
    const fees = 'Date,Type,Amount,Memo\n2026-03-02,Withdrawal,100.00,A\n2026-03-03,Fee,3.50,B';
    await assert.rejects(async () => readCsv(fees, 'USD'), /line 1: no amount has a sign, and the column "Type" says/);
    const signed = fees.replace('100.00', '-100.00');
    assert.deepEqual(
      (await readCsv(signed, 'USD')).lines.map(({ amount }) => amount),
      [-10000n, 350n],
    );
    // An initial may stand for something else: D for a deposit.
    const initials = 'Date,Type,Amount,Memo\n2026-03-02,D,100.00,A';
    assert.deepEqual(
      (await readCsv(initials, 'USD')).lines.map(({ amount }) => amount),
      [10000n],
    );
  });

  test('reads days whose year has two digits and stands first, and refuses those that read two ways', async () => {
    const days = async (...written: readonly string[]): Promise<readonly string[]> =>
      (await readCsv(['Date,Amount', ...written.map((one) => `${one},1.00`)].join('\n'), 'USD')).lines.map(
        ({ day }) => day,
      );
    assert.deepEqual(await days('26/03/02', '26/03/03', '26/03/13'), ['2026-03-02', '2026-03-03', '2026-03-13']);
    assert.deepEqual(await days('13-03-26', '14-03-26', '31-03-26'), ['2026-03-13', '2026-03-14', '2026-03-31']);
    assert.deepEqual(await days('13/03/26', '02/03/26'), ['2026-03-13', '2026-03-02']);
    assert.deepEqual(await days('26/03/26'), ['2026-03-26']);
    await assert.rejects(
      async () => days('26/03/02'),
      /line 2: "26\/03\/02" is an ambiguous date, which may begin with the year/,
    );
    for (const text of ['202611', '2026111']) await assert.rejects(async () => days(text), /ambiguous date/, text);
  });

  test('reads days before months where the headings are of a language that writes them so, and guesses at no other', async () => {
    for (const heading of [
      'Fecha;Concepto;Importe',
      'Date;Libellé;Montant',
      'Buchungstag;Text;Betrag',
      'Data;Descrizione;Importo',
      'Datum;Omschrijving;Bedrag',
    ])
      assert.equal((await readCsv(`${heading}\n01/12/2026;A;-1,00`, 'EUR')).lines[0]?.day, '2026-12-01', heading);
    const months = 'Fecha;Concepto;Importe\n01/12/2026;A;-1,00\n01/13/2026;B;-1,00';
    assert.equal((await readCsv(months, 'EUR')).lines[0]?.day, '2026-01-12', 'what the file shows counts');
    for (const [heading, currency] of [
      ['Date;Description;Amount', 'EUR'],
      ['Fecha;Concepto;Importe', 'USD'],
      ['Posting Date;Memo;Credit Amount;Debit Amount', 'EUR'],
    ] as const)
      await assert.rejects(
        async () => readCsv(`${heading}\n01/12/2026;A;1.00`, currency),
        /ambiguous date|day_first/,
        heading,
      );
  });

  test('refuses amounts in thousands, and leaves out what was taken back', async () => {
    for (const heading of ['金額（千円）', 'Amount (thousands)', 'Betrag in Tsd'])
      await assert.rejects(
        async () => readCsv(`日付,内容,金額,${heading}\n2026/03/02,A,1,12`, 'JPY', { columns: { amount: heading } }),
        /line 1: the column .* is in thousands/,
        heading,
      );
    const { lines, leftOut } = await readCsv('日付,状態,金額\n2026/03/02,取消,12000\n2026/03/03,確定,-3500', 'JPY');
    assert.deepEqual([lines.length, leftOut[0]?.reason], [1, 'not_booked']);
  });

  test('leaves out what a bank says to be noted only in a column for remarks', async () => {
    const text = [
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Kundenreferenz (End-to-End)";"Beguenstigter/Zahlungspflichtiger";"Betrag";"Waehrung";"Info"',
      '"DE02";"13.03.26";"13.03.26";"GUTSCHRIFT";"INV-00001";"NOTPROVIDED";"Kundin";"88,80";"EUR";"Umsatz gebucht"',
      '"DE02";"16.03.26";"16.03.26";"FOLGELASTSCHRIFT";"Strom";"R-7";"Stadtwerke";"-50,00";"EUR";"Umsatz vorgemerkt"',
    ].join('\n');
    const { lines, leftOut } = await readCsv(text, 'EUR');
    assert.deepEqual(
      lines.map(({ amount, counterparty, reference }) => [amount, counterparty, reference]),
      [[8880n, 'Kundin', undefined]],
    );
    assert.deepEqual(
      leftOut.map(({ line, reason }) => [line, reason]),
      [[3, 'not_booked']],
    );
    const italian =
      'Data;Operazione;Dettagli;Contabilizzazione;Valuta;Importo\n13/03/2026;Bar;POS;NON CONTABILIZZATO;EUR;-4,50\n';
    assert.equal((await readCsv(italian, 'EUR')).leftOut[0]?.reason, 'not_booked');
  });

  test('takes debit and credit where an amount beside them is empty, the same or not named, and guesses at no other', async () => {
    const table = (...rows: readonly string[]): string =>
      ['Buchungstag;Auftraggeber;Betrag;Soll;Haben;Währung', ...rows].join('\n');
    const both = table('13.03.2026;A;;-4,50;;EUR', '14.03.2026;B;;;88,80;EUR', '15.03.2026;C;-5,00;-5,00;;EUR');
    assert.deepEqual(await amounts(both), [
      ['2026-03-13', -450n],
      ['2026-03-14', 8880n],
      ['2026-03-15', -500n],
    ]);
    const charged = table('13.03.2026;A;-4,50;-7,50;;EUR', '14.03.2026;B;10,00;;;EUR');
    await assert.rejects(async () => amounts(charged), /line 2: it has another amount beside that of debit or credit/);
    const sums = (columns: object) => amounts(charged, { columns }).then((all) => all.map(([, amount]) => amount));
    assert.deepEqual(await sums({ amount: 'Betrag' }), [-450n, 1000n]);
    assert.deepEqual(await sums({ debit: 'Soll', credit: 'Haben' }), [-750n, 0n]);
    assert.deepEqual(await sums({ debit: 'Soll' }), [-750n, 0n]);
    assert.deepEqual(await amounts(table('14.03.2026;B;10,00;;;EUR')), [['2026-03-14', 1000n]]);
    assert.deepEqual(await amounts(table('14.03.2026;B;;;;EUR', '15.03.2026;C;1,00;;;EUR')), [
      ['2026-03-14', 0n],
      ['2026-03-15', 100n],
    ]);
  });

  test('a payer is the counterparty of what came in, a payee of what went out, and either where a table has no other', async () => {
    const parties = async (head: string, ...rows: readonly string[]) =>
      (await readCsv([head, ...rows].join('\n'), 'EUR')).lines.map(({ counterparty }) => counterparty);
    const dkb =
      '"Buchungsdatum";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Betrag (€)"';
    const rows = ['"13.03.26";"Gebucht";"Kundin";"Wir";"7";"88,80"', '"13.03.26";"Gebucht";"Wir";"Amt";"8";"-4,50"'];
    assert.deepEqual(await parties(dkb, ...rows, '"14.03.26";"Gebucht";"Wir";"";"9";"-1,00"'), [
      'Kundin',
      'Amt',
      undefined,
    ]);
    const austrian = 'Buchungsdatum;Buchungstext;Währung;Betrag;Auftraggebername;Empfängername;Zahlungsgrund';
    assert.deepEqual(
      await parties(austrian, '13.03.2026;a;EUR;5,00;Kundin;Wir;7', '13.03.2026;b;EUR;-5,00;Wir;Amt;8'),
      ['Kundin', 'Amt'],
    );
    assert.deepEqual(
      await parties('Buchungstag;Auftraggeber;Betrag', '13.03.2026;Kundin;5,00', '13.03.2026;Amt;-5,00'),
      ['Kundin', 'Amt'],
    );
    const named = { columns: { counterparty: 'Zahlungsempfänger*in' } };
    assert.deepEqual(
      (await readCsv([dkb, ...rows].join('\n'), 'EUR', named)).lines.map(({ counterparty }) => counterparty),
      ['Wir', 'Amt'],
    );
  });

  test('refuses a line that came in and went out, which are two movements', async () => {
    const text = 'Date,Debit,Credit\n2026-02-01,5.00,0.00\n2026-02-02,,7.00\n2026-02-03,5.00,7.00\n';
    await assert.rejects(async () => readCsv(text, 'EUR'), /line 4: it has an outgoing and an incoming amount/);
  });

  test('refuses a date that reads two ways unless told which, and says the line', async () => {
    const text = 'Date,Amount\n2026-01-01,1.00\n01/02/2026,5.00\n';
    await assert.rejects(async () => readCsv(text, 'USD'), /line 3: "01\/02\/2026"/);
    assert.equal((await readCsv(text, 'USD', { dayFirst: true })).lines[1]?.day, '2026-02-01');
    assert.equal((await readCsv(text, 'USD', { dayFirst: false })).lines[1]?.day, '2026-01-02');
    const told = 'Date,Amount\n01/02/2026,5.00\n13/02/2026,5.00\n';
    assert.equal((await readCsv(told, 'USD')).lines[0]?.day, '2026-02-01', 'as another line of the file shows');
    for (const bad of [
      'Date,Amount\n2026-02-30,1.00\n',
      'Date,Amount\n2026-02-03,1.0051\n',
      'A,B\n1,2\n',
      '',
      'Date,Amount\n"2026',
    ])
      await assert.rejects(async () => readCsv(bad, 'USD'), Error, bad);
  });

  const amounts = async (text: string, options = {}, currency = 'EUR') =>
    (await readCsv(text, currency, options)).lines.map(({ day, amount }) => [day, amount]);

  test('reads the tables that banks of many countries give, whatever stands above and below', async () => {
    const german = [
      'Kontonummer:;DE02 1203 0000 0000 2020 51',
      'Zeitraum:;01.03.2026 - 31.03.2026',
      'Kontostand vom 31.03.2026:;1.234,56 EUR',
      '',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungsempfänger*in";"Verwendungszweck";"Betrag (€)"',
      '"02.03.26";"03.03.26";"Gebucht";"Stadtwerke";"Strom";"-1.000 €"',
      '"04.03.26";"04.03.26";"Gebucht";"Kundin";"Rechnung 7";"12,50 €"',
      '"Endsaldo";"";"";"";"";"1.234,56 €"',
    ].join('\n');
    assert.deepEqual(await amounts(german), [
      ['2026-03-02', -100000n],
      ['2026-03-04', 1250n],
    ]);
    const read = await readCsv(german, 'EUR');
    assert.deepEqual(
      [read.lines[0]?.line, read.leftOut],
      [6, [{ line: 8, reason: 'footer', text: 'Endsaldo;;;;;1.234,56 €' }]],
    );
    for (const [text, expected] of [
      ['Date opération;Libellé;Montant\n02/03/2026;CB;-4,50\n13/03/2026;VIR;1 250,00\n', [-450n, 125000n]],
      ['Fecha operación;Concepto;Importe\n13/03/2026;Recibo;-4,50 EUR\n', [-450n]],
      [
        'Data contabile;Descrizione;Dare;Avere\n13/03/2026;Bolletta;4,50;\n14/03/2026;Bonifico;;10,00\n',
        [-450n, 1000n],
      ],
      [
        'Datum;Naam / Omschrijving;Af Bij;Bedrag (EUR)\n20260313;Winkel;Af;4,50\n20260314;Klant;Bij;10,00\n',
        [-450n, 1000n],
      ],
      ['Data księgowania;Opis operacji;Kwota\n2026-03-13;Przelew;-4,50\n', [-450n]],
      ['Bokföringsdag;Text;Belopp\n2026-03-13;Kortköp;-4,50\n', [-450n]],
      ['Buchung;Text;Soll;Haben\n13.03.2026;Gebühr;4,50;\n', [-450n]],
      ['Booking Date|Details|Amount\n2026-03-13|Fee|4.50-\n', [-450n]],
      [
        'Date,Description,Paid out,Paid in\n13 Mar 2026,Balance brought forward,,\n13 Mar 2026,Fee,£4.50,\n',
        [0n, -450n],
      ],
    ] as const)
      assert.deepEqual(
        (await amounts(text, {}, text.includes('£') ? 'GBP' : 'EUR')).map(([, amount]) => amount),
        expected,
        text,
      );
  });

  test('knows what large banks call their columns, in the languages that they write', async () => {
    const told = async (head: string, row: string, currency = 'EUR') => {
      const [line] = (await readCsv(`${head}\n${row}\n`, currency)).lines;
      return [line?.day, line?.amount, line?.description, line?.counterparty, line?.reference];
    };
    const none = undefined;
    for (const [head, row, currency, amount, description, counterparty, reference] of [
      [
        'Dato;Forklaring;Rentedato;Ut fra konto;Inn på konto',
        '13.03.2026;Strøm;14.03.2026;4,50;',
        'NOK',
        -450n,
        'Strøm',
      ],
      [
        'Dato;Beskrivelse;Rentedato;Inn;Ut;Til konto;Fra konto',
        '13.03.2026;Strøm;14.03.2026;;-4,50;1;2',
        'NOK',
        -450n,
        'Strøm',
      ],
      [
        'Bokføringsdato;Beløp;Avsender;Mottaker;Navn;Tittel;Valuta',
        '13.03.2026;-4,50;1;2;Kraft;Strøm;NOK',
        'NOK',
        -450n,
        'Strøm',
        'Kraft',
      ],
      ['Dato;Valør;Tekst;Beløb;Saldo', '13.03.2026;14.03.2026;El;-4,50;1,00', 'DKK', -450n, 'El'],
      ['Reskontradatum;Transaktionsdatum;Text;Belopp;Saldo', '2026-03-13;2026-03-12;El;-4,50;1,00', 'SEK', -450n, 'El'],
      [
        'Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta',
        '2026/03/13;-4,50;1;2;Kraft;El;1,00;SEK',
        'SEK',
        -450n,
        'El',
        'Kraft',
      ],
      [
        'Kirjauspäivä;Arvopäivä;Määrä EUROA;Laji;Selitys;Saaja/Maksaja;Viite;Viesti',
        '2026-03-13;2026-03-14;-4,50;1;TILISIIRTO;Sähkö Oy;1232;Lasku 7',
        'EUR',
        -450n,
        'Lasku 7',
        'Sähkö Oy',
        '1232',
      ],
      [
        'Kuupäev;Saaja/Maksja;Selgitus;Summa;Valuuta;Deebet/Kreedit;Viitenumber',
        '13.03.2026;Elekter AS;Arve 7;4,50;EUR;D;123',
        'EUR',
        -450n,
        'Arve 7',
        'Elekter AS',
        '123',
      ],
      [
        'Datums;Saņēmējs/Maksātājs;Informācija saņēmējam;Summa;Valūta;Debets/Kredīts',
        '13.03.2026;SIA;Rēķins;4,50;EUR;K',
        'EUR',
        450n,
        'Rēķins',
        'SIA',
      ],
      [
        'Data;Gavėjas;Paaiškinimai;Suma;Valiuta;D/K',
        '2026-03-13;UAB;Sąskaita;4,50;EUR;D',
        'EUR',
        -450n,
        'Sąskaita',
        'UAB',
      ],
      [
        '#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;#Saldo po operacji',
        '2026-03-13;Prąd;1;Dom;-4,50 PLN;1,00 PLN',
        'PLN',
        -450n,
        'Prąd',
      ],
      [
        'Data transakcji;Data księgowania;Dane kontrahenta;Tytuł;Kwota transakcji (waluta rachunku);Waluta',
        '2026-03-13;2026-03-13;Energa;Prąd;-4,50;PLN',
        'PLN',
        -450n,
        'Prąd',
        'Energa',
      ],
      [
        'Data transakcji,Odbiorca/Zleceniodawca,Opis,Obciążenia,Uznania,Saldo,Waluta',
        '2026-03-13,Energa,Prąd,"-4,50",,"1,00",PLN',
        'PLN',
        -450n,
        'Prąd',
        'Energa',
      ],
      [
        'ID pohybu;Datum;Objem;Měna;Název protiúčtu;VS;Zpráva pro příjemce',
        '1;13.03.2026;-4,50;CZK;ČEZ;77;Elektřina',
        'CZK',
        -450n,
        'Elektřina',
        'ČEZ',
        '77',
      ],
      [
        'Datum provedení;Částka v měně účtu;Měna účtu;Název protiúčtu;Popis',
        '13/03/2026;-4,50;CZK;ČEZ;Elektřina',
        'CZK',
        -450n,
        'Elektřina',
        'ČEZ',
      ],
      [
        'Dátum zaúčtovania;Suma;Mena;Názov protistrany;Informácia pre príjemcu',
        '13.03.2026;-4,50;EUR;SPP;Plyn',
        'EUR',
        -450n,
        'Plyn',
        'SPP',
      ],
      [
        'Datum knjiženja;Datum valute;Namen;Znesek v breme;Znesek v dobro',
        '13.03.2026;13.03.2026;Elektrika;4,50;',
        'EUR',
        -450n,
        'Elektrika',
      ],
      ['Datum izvršenja;Opis plaćanja;Isplata;Uplata;Stanje', '13.03.2026;Struja;4,50;;1,00', 'EUR', -450n, 'Struja'],
      [
        'Könyvelés dátuma;Terhelés/jóváírás;Összeg;Devizanem;Partner elnevezése;Közlemény',
        '2026.03.13;T;4,50;HUF;MVM;Áram',
        'HUF',
        -450n,
        'Áram',
        'MVM',
      ],
      [
        'Data tranzactie;Descriere;Referinta tranzactiei;Debit;Credit',
        '2026-03-13;Curent;R1;-4,50;',
        'RON',
        -450n,
        'Curent',
        none,
        'R1',
      ],
      [
        'Data înregistrare;Suma debit;Suma credit;Descrierea tranzacției',
        '13.03.2026;4,50;;Curent',
        'RON',
        -450n,
        'Curent',
      ],
      ['Ημερομηνία;Περιγραφή;Ποσό', '13/03/2026;Ρεύμα;-4,50', 'EUR', -450n, 'Ρεύμα'],
      ['Tarih;Açıklama;İşlem Tutarı;Bakiye', '13/03/2026;Elektrik;-4,50;1,00', 'TRY', -450n, 'Elektrik'],
      ['Date operation;Libelle operation;Montant operation en euro', '13/03/2026;EDF;-4,50', 'EUR', -450n, 'EDF'],
      ['Fecha;Fecha valor;Movimiento;Importe;Saldo', '13/03/2026;14/03/2026;Luz;-4,50EUR;1,00EUR', 'EUR', -450n, 'Luz'],
      [
        'Buchung;Valuta;Sender / Empfänger;IBAN;Buchungstext;Verwendungszweck;Umsatz geteilt;Betrag in EUR',
        '13.03.2026;13.03.2026;Stadtwerke;DE1;LASTSCHRIFT;Strom;N;-4,50',
        'EUR',
        -450n,
        'Strom',
        'Stadtwerke',
      ],
      [
        'Buchungsdatum;Partnername;Partner IBAN;Betrag;Währung;Buchungs-Info;Buchungsreferenz;Zahlungsreferenz',
        '13.03.2026;Wien Energie;AT1;-4,50;EUR;Strom;1;Z7',
        'EUR',
        -450n,
        'Strom',
        'Wien Energie',
        'Z7',
      ],
      [
        'Kontonummer;Buchungsdatum;Valuta;Empfaenger 1;Empfaenger 2;Verwendungszweck;Betrag;Waehrung',
        '1;13.03.2026;13.03.2026;Stadtwerke;;Strom;-4,50;EUR',
        'EUR',
        -450n,
        'Strom',
        'Stadtwerke',
      ],
      [
        'Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie',
        '13.03.2026;Buchung;Strom;;-4.50;;',
        'CHF',
        -450n,
        'Strom',
      ],
      [
        'Date de comptabilisation;Type de mouvement;Texte de notification;Crédit en CHF;Débit en CHF;Label;Catégorie',
        '13.03.2026;Achat;Courant;;-4.50;;',
        'CHF',
        -450n,
        'Courant',
      ],
      [
        'Abschlussdatum;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1',
        '2026-03-12;2026-03-13;2026-03-13;CHF;-4.50;;;1.00;9;Strom',
        'CHF',
        -450n,
        'Strom',
      ],
      [
        'IBAN;Booked At;Text;Credit/Debit Amount;Balance;Valuta Date',
        'CH1;2026-03-13 00:00:00.0;Strom;-4.5;1;2026-03-13 00:00:00.0',
        'CHF',
        -450n,
        'Strom',
      ],
      [
        'date_comptabilisation;libellé_complet_operation;montant_operation;devise',
        '13/03/2026;EDF;-4,50;EUR',
        'EUR',
        -450n,
        'EDF',
      ],
      [
        'dateOp;dateVal;label;category;supplierFound;amount;comment',
        '2026-03-13;2026-03-14;PRLV EDF;Maison;edf;-4,50;',
        'EUR',
        -450n,
        'PRLV EDF',
        'edf',
      ],
      [
        'Date,Name / Description,Account,Counterparty,Code,Debit/credit,Amount (EUR),Notifications',
        '20260313,Vattenfall,NL1,NL2,IC,Debit,"4,50",Stroom',
        'EUR',
        -450n,
        'Stroom',
        'Vattenfall',
      ],
      [
        'Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeninghouder;Omschrijving;Referentie',
        '13-03-2026;EUR;D;4,50;Vattenfall;Stroom;R7',
        'EUR',
        -450n,
        'Stroom',
        'Vattenfall',
        'R7',
      ],
      [
        'Naam;Munt;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;Naam tegenpartij;gestructureerde mededeling',
        'Wij;EUR;13/03/2026;Stroom;13/03/2026;-4,50;1,00;;-4,50;Engie;***1***',
        'EUR',
        -450n,
        'Stroom',
        'Engie',
        '***1***',
      ],
      [
        'F. Operativa;Concepto;F. Valor;Importe;Saldo;Referencia 1',
        '13/03/2026;Luz;14/03/2026;-4,50;1,00;77',
        'EUR',
        -450n,
        'Luz',
        none,
        '77',
      ],
      [
        'Data_Operazione;Data_Valuta;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato',
        '13/03/2026;13/03/2026;;-4,50;Pagamento;Luce;Contabilizzato',
        'EUR',
        -450n,
        'Luce',
      ],
      [
        'Data Contabile;Data Valuta;Addebiti (euro);Accrediti (euro);Descrizione operazioni',
        '13/03/2026;13/03/2026;4,50;;Luce',
        'EUR',
        -450n,
        'Luce',
      ],
      ['Data;Lançamento;Valor (R$)', '13/03/2026;Luz;-4,50', 'BRL', -450n, 'Luz'],
    ] as const)
      assert.deepEqual(
        await told(head, row, currency),
        ['2026-03-13', amount, description, counterparty, reference],
        head,
      );
  });

  test('reads an amount that has two meanings as the others of the file show, and refuses it by line where none does', async () => {
    const lone = 'Date;Amount\n2026-03-02;5\n2026-03-03;1.234\n';
    await assert.rejects(async () => readCsv(lone, 'EUR'), /line 3: "1\.234" is ambiguous.*decimal_mark/);
    assert.deepEqual((await amounts(lone, { decimalMark: ',' }))[1], ['2026-03-03', 123400n]);
    await assert.rejects(async () => readCsv(lone, 'EUR', { decimalMark: '.' }), /line 3: .*too many decimals: EUR/);
    assert.deepEqual((await amounts(`${lone}2026-03-04;-4,50\n`))[1], ['2026-03-03', 123400n]);
    await assert.rejects(async () => readCsv(`${lone}2026-03-04;-4.50\n`, 'EUR'), /line 3/);
    await assert.rejects(
      async () => readCsv('Date;Amount\n2026-03-02;4,50\n2026-03-03;4.50\n', 'EUR'),
      /line 2 and line 3 do not agree/,
    );
    await assert.rejects(
      async () => readCsv('Date;Amount\n2026-03-02;0.125\n2026-03-03;x\n', 'EUR'),
      /line 2: .*; line 3: /,
    );
  });

  test('refuses an amount that its own comma tears in two, wherever the column stands', async () => {
    for (const text of [
      'Date,Amount,Description\n2026-03-02,"-4,50",Tea\n2026-03-03,-4,50,Coffee\n',
      'Date,Description,Amount\n2026-03-02,Tea,"-4,50"\n2026-03-03,Coffee,-4,50\n',
      'Date,Amount,Description,Balance\n2026-03-02,"-4,50",Tea,1\n2026-03-03,-4,50,Coffee\n',
    ])
      await assert.rejects(async () => readCsv(text, 'EUR'), /line 3: .*quote/, text);
  });

  test('refuses lines in another currency, without a direction or a day, and a file without a line that has one', async () => {
    for (const text of [
      'Date,Amount,Currency\n2026-03-02,1.00,USD\n',
      'Datum;Af Bij;Bedrag (EUR)\n20260313;;4,50\n',
      'Date,Amount\n2026-03-02,1.00\n,2.00\n2026-03-04,1.00\n',
      'Date,Amount\n2026-03-02,1.00\n31.02.2026,2.00\n',
      'Date,Amount\nTotal,2.00\n',
    ])
      await assert.rejects(async () => readCsv(text, 'EUR'), /line \d/, text);
  });

  test('holds a currency in the heading of an amount, beside an amount or in a column of signs to the account', async () => {
    for (const [heading, currency, other] of [
      ['Dato;Tekst;Beløp (EUR)', 'NOK', 'EUR'],
      ['Buchungstag;Text;Betrag (EUR)', 'CHF', 'EUR'],
      ['Date;Text;Amount (USD)', 'EUR', 'USD'],
      ['Date;Text;Amount in usd', 'EUR', 'USD'],
      ['Date;Text;AMOUNT CHF', 'EUR', 'CHF'],
      ['Date;Text;Montant (en euros)', 'USD', 'EUR'],
      ['Date;Text;Amount ($)', 'EUR', '\\$'],
      ['Dato;Tekst;Beløp (kr)', 'EUR', 'kr'],
      ['Data;Texto;Valor (R$)', 'EUR', 'BRL'],
    ] as const) {
      const text = `${heading}\n2026-01-02;x;7,00\n`;
      await assert.rejects(
        readCsv(text, currency),
        new RegExp(`line 1: the column .* is in ${other}, but the account is in ${currency}`),
        heading,
      );
    }
    for (const [heading, currency] of [
      ['Dato;Tekst;Beløp (NOK)', 'NOK'],
      ['Dato;Tekst;Beløp (kr)', 'NOK'],
      ['Date;Text;Amount ($)', 'CAD'],
      ['Date;Text;Amount (all)', 'EUR'],
      ['DATE;TEXT;AMOUNT', 'EUR'],
    ] as const)
      assert.equal((await readCsv(`${heading}\n2026-01-02;x;7,00\n`, currency)).lines[0]?.amount, 700n, heading);
    await assert.rejects(
      readCsv('Date;Debit (USD);Credit (USD)\n2026-01-02;7,00;\n', 'EUR'),
      /"Debit \(USD\)" is in USD/,
    );
    await assert.rejects(
      readCsv('Date;Worth (USD)\n2026-01-02;7,00\n', 'EUR', { columns: { amount: 'Worth (USD)' } }),
      /is in USD, but the account is in EUR/,
    );
    for (const [row, wanted] of [
      ['2026-01-02;$100.00;', /line 2: it is in \$, but the account is in EUR/],
      ['2026-01-02;USD 7,00;', /line 2: it is in USD, but the account is in EUR/],
      ['2026-01-02;7,00;$', /line 2: it is in \$, but the account is in EUR/],
      ['2026-01-02;7,00;nok', /line 2: it is in NOK, but the account is in EUR/],
    ] as const)
      await assert.rejects(readCsv(`Date;Amount;Currency\n${row}\n`, 'EUR'), wanted, row);
    await assert.rejects(
      readCsv('Dato;Beløb;Valuta\n2026-01-02;7,00;EUR\n', 'DKK'),
      /it is in EUR, but the account is in DKK/,
    );
    const own = await readCsv('Date;Amount;Currency\n2026-01-02;EUR 7,00;€\n', 'EUR');
    assert.equal(own.lines[0]?.amount, 700n);
  });

  test('says of a day that it does not exist, and of a quote that it is not closed', async () => {
    for (const day of ['2026-02-30', '31.02.2026', '30 Feb 2026', 'Feb 30, 2026', '31/02/2026'])
      await assert.rejects(
        readCsv(`Date;Amount\n2026-01-02;1,00\n${day};2,00\n`, 'EUR'),
        /line 3: ".*" is no existing day/,
        day,
      );
    const stray = 'Date;Text;Amount\n2026-01-02;a;1,00\n2026-01-03;"Shop;2,00\n2026-01-04;b;3,00\n';
    await assert.rejects(readCsv(stray, 'EUR'), /line 3: a quote .* never closed/);
    const late = `Date;Text;Amount\n${'2026-01-02;a;1,00\n'.repeat(100)}2026-01-03;"Shop;2,00\n`;
    await assert.rejects(readCsv(late, 'EUR'), /line 102: a quote .* never closed/);
  });

  test('looks for headings among the first lines only, one delimiter at a time', async (t) => {
    const wide = (first: string): string =>
      [first, ...Array.from({ length: 9 }, () => Array.from({ length: 499 }, () => 'x'.repeat(198)).join(';'))].join(
        '\n',
      );
    // Behind what is looked at nothing is parsed: a table of that width would be refused for its fields.
    await assert.rejects(readCsv(wide('y'.repeat(70_000)), 'EUR'), /a row of headings/);
    await assert.rejects(readCsv(wide('Date;Amount;Text'), 'EUR'), /499 fields under 3 headings/);
    const { turns } = await turnsOf(t, async () => readCsv(wide('no headings'), 'EUR').catch(() => ({ lines: [] })));
    assert.ok(turns >= 4, `${turns} turns of the event loop`);
  });

  test('reads files of the longest kind without holding up whoever waits', async (t) => {
    const rows = Array.from(
      { length: 20_000 },
      (_, index) => `2026-03-0${1 + (index % 9)};-${index % 999}.000,50;Line ${index}`,
    );
    const booked = `<STMTTRN><DTPOSTED>20260302<TRNAMT>-1.50<FITID>1<NAME>Name\n`.repeat(10_000);
    const one =
      '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-03-02</Dt></BookgDt></Ntry>';
    const camt = `<Document><BkToCstmrStmt><Stmt><Acct><Ccy>EUR</Ccy></Acct>${one.repeat(8_000)}</Stmt></BkToCstmrStmt></Document>`;
    const long = Array.from({ length: 10 }, (_, index) => `2026-03-02;${index}.000,50;${'x'.repeat(80_000)}`);
    const files: readonly (readonly [() => Promise<{ readonly lines: readonly unknown[] }>, number, number])[] = [
      [async () => readCsv(['Date;Amount;Text', ...rows].join('\n'), 'EUR'), 20_000, 3 * 20_000],
      [async () => readCsv(['Date;Amount;Text', ...long].join('\n'), 'EUR'), 10, 800_000 / stretch],
      [async () => readOfx(`<OFX><STMTRS><CURDEF>EUR${booked}</STMTRS></OFX>`), 10_000, 10_000],
      [async () => readCamt053(camt), 8_000, 8_000],
      [async () => readXml(camt).then(({ children }) => ({ lines: children })), 1, camt.length / stretch],
    ];
    for (const [read, lines, units] of files) {
      const { turns, done } = await turnsOf(t, read);
      assert.equal(done.lines.length, lines);
      assert.ok(turns >= Math.floor(units / 12), `${turns} turns of the event loop for ${units} units of work`);
    }
  });
});

/** How often others had their turn, by a clock that is a millisecond later whenever it is looked at: no machine is fast or slow by it. */
async function turnsOf<T>(
  t: TestContext,
  work: () => Promise<T>,
): Promise<{ readonly turns: number; readonly done: T }> {
  let [now, turns, busy] = [0, 0, true];
  const clock = t.mock.method(performance, 'now', () => (now += 1));
  const turn = (): void => {
    turns += 1;
    if (busy) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return { done: await work(), turns };
  } finally {
    busy = false;
    clock.mock.restore();
  }
}

/** Milliseconds of the processor that the thread works between two turns of others, at most. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let [last, longest, busy] = [process.threadCpuUsage(), 0, true];
  const look = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, (now.user - last.user + now.system - last.system) / 1000);
    last = now;
  };
  const turn = (): void => {
    look();
    if (busy) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  busy = false;
  look();
  return longest;
}
