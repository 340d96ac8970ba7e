const longest = 65_536;
/** As many as a file may hold take the database seconds: that is for a run of its own, with `STALL_WHOLE` set. */
const many = (most: number): number => (process.env['STALL_WHOLE'] === undefined ? most >> 2 : most);

/** Contents of files that cost most to read, for members that take a file; by the formats that tools take. */
const zeros = '0'.repeat(longest);
const lines = (head: string, many: number, line: (at: number) => string, end = ''): string =>
  `${head}${Array.from({ length: many }, (_one, at) => line(at)).join('')}${end}`;
const day = (at: number): string => `2026-01-${String((at % 28) + 1).padStart(2, '0')}`;

const csv: readonly string[] = [
  lines('date,amount,description\n', many(20_000), (at) => `${day(at)},-${at}.05,Line ${at}\n`),
  `date,amount,description\n2026-01-01,1.${zeros}1,x\n2026-01-01,"(${'1'.repeat(longest)})",x\n`,
  `date,amount,description\n2026-01-01,1${' '.repeat(longest)}1,${' \t'.repeat(longest)}x\n`,
  `date,amount,description\n2026-01-01,"${'"",'.repeat(longest)}",x\n`,
  lines('code,name,type\n', many(20_000), (at) => `X${at},Account ${at},asset\n`),
  lines('account,debit,credit\n', many(20_000), () => '1000,0.01,\n3000,,0.01\n'),
  `account,debit,credit\n1000,1.${zeros}1,\n3000,,${zeros}\n`,
  lines('Handle,Title,Variant Price\n', many(10_000), (at) => `a-${at % 1_000},A,1.00\n`),
  `Title,Body (HTML)\nA,"${'<ul><li>&lt;'.repeat(many(5_000))}"\nB,"${'<p># '.repeat(many(12_000))}"\n`,
  `Title,Tags,Handle\nA,"${'""a '.repeat(many(10_000))}",\n${'-a'.repeat(longest)},,${'a-'.repeat(longest)}\n`,
  // Very many columns, and what is looked for comes last.
  `${'x,'.repeat(many(45_000))}code,name,type,account,debit,credit,date,amount\n${'1\n'.repeat(many(19_000))}`,
  `${'"'.repeat(longest)}\n`,
  '\n'.repeat(many(500_000)),
  ','.repeat(longest),
];
const transaction = (amount: string, at: number): string =>
  `<STMTTRN><DTPOSTED>20260102<TRNAMT>${amount}<FITID>${at}<NAME>Somebody &amp; Co</STMTTRN>`;
const ofx: readonly string[] = [
  `<OFX><CURDEF>USD${transaction(`1.${zeros}1`, 1)}`,
  lines('<OFX><CURDEF>USD<BANKTRANLIST>', many(8_000), (at) => transaction(`-${at}.05`, at)),
  `<OFX><CURDEF>USD${'<STMTTRN>'.repeat(many(80_000))}`,
  `<OFX><CURDEF>USD${'<'.repeat(many(500_000))}`,
  `<OFX><CURDEF>USD${'<LEDGERBAL>'.repeat(many(60_000))}`,
  `<OFX><CURDEF>USD<STMTTRN><DTPOSTED>20260102<TRNAMT>1<NAME>${'&#1;'.repeat(many(100_000))}`,
  '<OFX'.repeat(many(100_000)),
];
const statement = (inner: string): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Ccy>USD</Ccy></Acct>${inner}</Stmt></BkToCstmrStmt></Document>`;
const entry = (amount: string, more = ''): string =>
  `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-01-02</Dt></BookgDt>${more}</Ntry>`;
const camt053: readonly string[] = [
  statement(entry(`1.${zeros}1`)),
  statement(lines('', many(5_000), (at) => entry(`${at}.05`))),
  statement(
    entry(
      '1.00',
      lines('<NtryDtls>', many(20_000), () => '<TxDtls><Amt Ccy="USD">0.01</Amt></TxDtls>', '</NtryDtls>'),
    ),
  ),
  statement('<a/>'.repeat(many(150_000))),
  statement(`<a ${lines('', many(40_000), (at) => `b${at}="c" `)}/>`),
  statement(`<a ${lines('', many(40_000), (at) => `xmlns:b${at}="c" `)}/>`),
  statement('<a>'.repeat(many(100_000))),
  statement(entry('1.00', `<AddtlNtryInf>${'&#65;'.repeat(many(100_000))}${' '.repeat(longest)}</AddtlNtryInf>`)),
  `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(many(20_000))}]><a/>`,
  `<![CDATA[${']]'.repeat(longest)}`,
];

/** Every file with the format that it is of; tools that take one format alone are given all of them as well. */
export const files: readonly { readonly format: string; readonly content: string }[] = [
  ...csv.map((content) => ({ format: 'csv', content })),
  ...ofx.map((content) => ({ format: 'ofx', content })),
  ...camt053.map((content) => ({ format: 'camt053', content })),
].map(({ format, content }) => ({ format, content: content.slice(0, 900_000) }));
