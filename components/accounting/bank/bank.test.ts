import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isAsItWas } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { attack } from '../fixtures/attack.ts';
import type { Document } from '../documents/document.ts';
import { issued, newParty, paid } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { reverseEntry } from '../journal/reverse.ts';
import { importStatement } from './import.ts';
import { listLines } from './list-lines.ts';
import { matchLine } from './match.ts';
import { openEntries } from './open-entries.ts';
import { postLine } from './post-line.ts';
import { reconcile, reconciliationState } from './reconcile.ts';
import { reconciliationReport } from './reconciliation-report.ts';
import { addRule, archiveRule, listRules } from './rules.ts';
import { suggest } from './suggest.ts';
import { undoReconciliation } from './undo-reconciliation.ts';
import { unmatch } from './unmatch.ts';

const csv = (...rows: readonly string[]): string => ['Date,Amount,Description', ...rows].join('\n');

describe('the bank', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const load = async (books: TenantContext, ...rows: readonly string[]) =>
    importStatement(books, { account: '1000', format: 'csv', content: csv(...rows) });
  const lines = async (books: TenantContext, unmatched = false) =>
    (await listLines(books, { account: '1000', unmatched, limit: 200 })).items;
  const move = async (
    books: TenantContext,
    date: string,
    amount: string,
    narration = 'Entry',
    out = false,
    kind?: 'opening',
  ) =>
    recordEntry(
      books,
      {
        date,
        currency: 'EUR',
        narration,
        lines: [
          { account: '1000', [out ? 'credit' : 'debit']: amount },
          { account: '3000', [out ? 'debit' : 'credit']: amount },
        ],
      },
      kind,
    );

  test('explains a line by money that came in another currency, and never agrees an account that holds more than its bank', async () => {
    const books = await world.tenant();
    const dollars = async (account: string, other: string) =>
      recordEntry(books, {
        date: '2026-03-20',
        currency: 'USD',
        rate: '0.92',
        narration: 'From overseas',
        lines: [
          { account, debit: '400.00' },
          { account: other, credit: '400.00' },
        ],
      });
    const { id } = await dollars('1000', '3000');
    await load(books, '2026-03-21,368.00,Overseas');
    const [line] = await lines(books);
    assert.ok(line);
    const march = { account: '1000', to: '2026-03-31', closing: '368.00' };
    const before = await reconciliationState(books, march);
    assert.deepEqual(
      [before.bookBalance.amount, before.outstanding.amount, before.unmatchedLines],
      ['368.00', '368.00', 1],
    );
    assert.equal((await suggest(books, { lineId: line.id }))[0]?.entryId, id);
    assert.equal(
      await refusal(matchLine(books, { lineId: line.id, entries: [{ entryId: id, amount: '368.01' }] })),
      'match_exceeds',
    );
    assert.equal((await matchLine(books, { lineId: line.id, entries: [{ entryId: id }] })).unmatched.amount, '0.00');
    assert.equal((await reconcile(books, march)).completed, true);

    // Posted a second time as what it was not: the books hold it twice, and say so.
    await load(books, '2026-04-02,92.00,Overseas');
    const again = await recordEntry(books, {
      date: '2026-04-01',
      currency: 'USD',
      rate: '0.92',
      narration: 'Unseen',
      lines: [
        { account: '1000', debit: '100.00' },
        { account: '3000', credit: '100.00' },
      ],
    });
    const [open] = await lines(books, true);
    assert.ok(open);
    await postLine(books, { lineId: open.id, account: '3000' });
    const april = { account: '1000', to: '2026-04-30', closing: '460.00' };
    const state = await reconcile(books, april);
    assert.deepEqual([state.bookBalance.amount, state.outstanding.amount], ['552.00', '92.00']);
    const report = await reconciliationReport(books, { account: '1000', to: '2026-04-30' });
    assert.deepEqual(
      (await Array.fromAsync(report.outstanding)).map(({ entryId, amount }) => [entryId, amount.amount]),
      [[again.id, '92.00']],
    );
  });

  test('takes a line once, in however many overlapping files and at however many hands it comes', async () => {
    const books = await world.tenant();
    const rows = ['2026-03-01,-2.50,Coffee', '2026-03-01,-2.50,Coffee', '2026-03-02,100.00,Invoice 7'];
    const outcomes = await Promise.all([load(books, ...rows), load(books, ...rows), load(books, ...rows.slice(0, 2))]);
    assert.equal(
      outcomes.reduce((sum, { added }) => sum + added, 0),
      3,
    );
    assert.deepEqual(
      [(await load(books, ...rows)).added, (await load(books, ...rows, '2026-03-03,1.00,New')).added],
      [0, 1],
    );
    assert.equal((await lines(books)).length, 4);
    const paged = await listLines(books, { account: '1000', limit: 3 });
    assert.equal(
      (await listLines(books, { account: '1000', limit: 3, cursor: paged.nextCursor ?? '' })).items.length,
      1,
    );
    for (const day of ['2026-02-30', '0000-01-01'])
      assert.equal(
        await refusal(listLines(books, { account: '1000', limit: 3, cursor: `${day}.${newId()}` })),
        'invalid_cursor',
      );
  });

  test('refuses a file that is broken, of another currency, or whose lines do not make its balances', async () => {
    const books = await world.tenant();
    const stmt = (closing: string, currency = 'EUR'): string =>
      `<Document><BkToCstmrStmt><Stmt><Acct><Ccy>${currency}</Ccy></Acct>${[
        ['OPBD', '10.00'],
        ['CLBD', closing],
      ]
        .map(
          ([code, amount]) =>
            `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`,
        )
        .join(
          '',
        )}<Ntry><Amt Ccy="${currency}">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-03-02</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>`;
    const take = async (content: string) =>
      refusal(importStatement(books, { account: '1000', format: 'camt053', content }));
    assert.equal(await take(stmt('14.00')), 'invalid_statement');
    assert.equal(await take(stmt('15.00', 'USD')), 'invalid_statement');
    assert.equal(await take('nonsense'), 'invalid_statement');
    assert.equal(
      await take(stmt('92233720368547763.08').replace('10.00', '92233720368547758.08')),
      'invalid_statement',
    );
    for (const row of ['2026-03-02,92233720368547758.08,Huge', '2026-03-02,1.00,a\0b'])
      assert.equal(await refusal(load(books, row)), 'invalid_statement', row);
    assert.equal(await take(stmt('15.00')), 'nothing was refused');
    assert.equal(
      await refusal(importStatement(books, { account: '4000', format: 'csv', content: csv() })),
      'account_unusable',
    );
    assert.equal(
      await refusal(importStatement(books, { account: 'none', format: 'csv', content: csv() })),
      'not_found',
    );
  });

  test('suggests entries of the same amount with a score and a reason, and accounts by rule', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-10,-50.00,STRIPE FEES March');
    const [line] = await lines(books);
    const near = await move(books, '2026-03-09', '50.00', 'Stripe fees', true);
    await move(books, '2026-03-02', '50.00', 'Something else', true);
    await move(books, '2026-03-10', '50.00', 'The other way');
    await move(books, '2026-03-10', '49.99', 'Nearly', true);
    const rule = await addRule(books, { contains: 'stripe fees', direction: 'out', account: '6900' });
    const suggestions = await suggest(books, { lineId: line?.id ?? '' });
    assert.deepEqual(
      suggestions.map(({ kind, narration, accountCode }) => [kind, narration ?? accountCode]),
      [
        ['entry', 'Stripe fees'],
        ['entry', 'Something else'],
        ['rule', '6900'],
      ],
    );
    assert.match(suggestions[0]?.reason ?? '', /same amount, 1 day apart, both say stripe, fees/);
    assert.equal(suggestions[0]?.entryId, near.id);
    assert.deepEqual(await listRules(books, {}), [
      { ruleId: rule.ruleId, contains: 'stripe fees', direction: 'out', accountCode: '6900' },
    ]);
    await archiveRule(books, { ruleId: rule.ruleId });
    assert.deepEqual(await listRules(books, {}), []);
    await matchLine(books, { lineId: line?.id ?? '', entries: [{ entryId: near.id }] });
    assert.deepEqual(await suggest(books, { lineId: line?.id ?? '' }), []);
  });

  test('suggests entries that make a line up together where none does alone, and a match takes them as they are', async () => {
    const books = await world.tenant();
    await load(
      books,
      '2026-03-10,300.00,Two customers',
      '2026-03-10,61.00,Three',
      '2026-03-20,1000.00,Takings',
      '2026-03-25,7.77,Nothing',
    );
    const all = await lines(books);
    const idOf = (sum: string): string => all.find(({ amount }) => amount.amount === sum)?.id ?? '';
    const parts = [
      await move(books, '2026-03-09', '100.00', 'Payment 1'),
      await move(books, '2026-03-11', '200.00', 'Payment 2'),
    ];
    await move(books, '2026-03-10', '300.00', 'Out', true);
    const [both, ...others] = await suggest(books, { lineId: idOf('300.00') });
    assert.deepEqual(
      [both?.kind, both?.parts.map(({ entryId }) => entryId).toSorted(), others],
      ['entries', parts.map(({ id }) => id).toSorted(), []],
    );
    const matched = await matchLine(books, {
      lineId: idOf('300.00'),
      entries: (both?.parts ?? []).map(({ entryId, amount }) => ({ entryId, amount: amount.amount })),
    });
    assert.equal(matched.unmatched.amount, '0.00');
    for (const amount of ['10.00', '20.00', '31.00']) await move(books, '2026-03-10', amount);
    const three = await suggest(books, { lineId: idOf('61.00') });
    assert.deepEqual(three[0]?.parts.map(({ amount }) => amount.amount).toSorted(), ['10.00', '20.00', '31.00']);
    for (const amount of ['101.00', '203.00', '107.00', '289.00', '300.00']) await move(books, '2026-03-19', amount);
    const day = await suggest(books, { lineId: idOf('1000.00') });
    assert.equal(day[0]?.parts.length, 5);
    assert.deepEqual(await suggest(books, { lineId: idOf('7.77') }), []);
  });

  test('suggests for several lines at once what it suggests for each: the best three, in the order asked for', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-10,12.00,Sent back', '2026-03-10,13.00,Kept', '2026-03-12,14.00,Nothing like it');
    const all = await lines(books);
    for (const amount of ['12.00', '12.00', '12.00', '12.00', '13.00']) await move(books, '2026-03-10', amount);
    const ids = ['14.00', '13.00', '12.00'].map((sum) => all.find(({ amount }) => amount.amount === sum)?.id ?? '');
    const each = await Promise.all(ids.map(async (lineId) => suggest(books, { lineId })));
    assert.deepEqual(
      each.map((ones) => ones.length),
      [0, 1, 4],
    );
    assert.deepEqual(
      await suggest(books, { lineIds: ids }),
      each.flatMap((ones) => ones.slice(0, 3)),
    );
    const unknown = [...ids, newId()];
    assert.equal(await refusal(suggest(books, { lineIds: unknown })), 'not_found');
  });

  test('suggests the payment of the document whose whole number a line names, and of the party that it names, before the nearest', async () => {
    const books = await world.tenant();
    const [ada, smith] = [
      await newParty(books, { name: 'Müller & Söhne GmbH' }),
      await newParty(books, { name: 'Smith Ltd' }),
    ];
    const invoices: Document[] = [];
    for (const party of [smith, ada, smith, smith]) invoices.push(await issued(books, party, '100'));
    const pay = async (party: string, index: number, date: string) =>
      paid(books, party, '100.00', { [invoices[index]?.id ?? '']: '100.00' }, { date });
    // PAY-00001 settles INV-00004, PAY-00002 INV-00003, PAY-00003 INV-00002 and PAY-00004 INV-00001.
    await pay(smith, 3, '2026-03-10');
    await pay(smith, 2, '2026-03-10');
    await pay(ada, 1, '2026-03-17');
    await pay(smith, 0, '2026-03-10');
    const first = async (text: string) => {
      await load(books, `2026-03-10,100.00,${text}`);
      const line = (await lines(books)).find(({ description }) => description === text);
      const [best, next] = await suggest(books, { lineId: line?.id ?? '' });
      assert.ok(best && next && best.score > next.score, text);
      return [/PAY-\d+/.exec(best.narration ?? '')?.[0], best.reason];
    };
    for (const text of ['Thanks INV-00002', 'inv 2', 'INV2 Smith'])
      assert.deepEqual((await first(text))[0], 'PAY-00003', text);
    assert.deepEqual(await first('PAY-00002'), ['PAY-00002', 'The same amount, the same day, both say PAY-00002.']);
    assert.deepEqual(await first('INV-00004 SMITH'), [
      'PAY-00001',
      'The same amount, the same day, both say INV-00004, both name Smith Ltd.',
    ]);
    assert.deepEqual(await first('MUELLER SOEHNE 00002'), [
      'PAY-00003',
      'The same amount, 7 days apart, both name Müller & Söhne GmbH.',
    ]);
    assert.deepEqual(await first('Anna Müller'), [
      'PAY-00003',
      'The same amount, 7 days apart, both say muller, which is a part of the name Müller & Söhne GmbH.',
    ]);
  });

  test('takes a line for another where its id alone is the same, in every format that banks number anew', async () => {
    const camt = (day: string, ...entries: readonly (readonly [ref: string, amount: string, text: string])[]): string =>
      `<Document><BkToCstmrStmt><Stmt><Acct><Ccy>EUR</Ccy></Acct>${entries
        .map(
          ([ref, amount, text]) =>
            `<Ntry><NtryRef>${ref}</NtryRef><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>${day}</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`,
        )
        .join('')}</Stmt></BkToCstmrStmt></Document>`;
    const ofx = (...lines: readonly (readonly [id: string, day: string, amount: string, name: string])[]): string =>
      `<OFX><STMTRS><CURDEF>EUR${lines.map(([id, day, amount, name]) => `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}`).join('')}</STMTRS></OFX>`;
    const table = (...rows: readonly string[]): string => ['Id,Date,Amount,Description', ...rows].join('\n');
    for (const [format, ...files] of [
      [
        'camt053',
        camt('2026-03-02', ['1', '10.00', 'A'], ['2', '20.00', 'B'], ['2', '20.00', 'C'], ['2', '20.00', 'C']),
        camt('2026-03-03', ['1', '10.00', 'A'], ['2', '30.00', 'B']),
      ],
      [
        'ofx',
        ofx(
          ['7', '20260302', '10', 'A'],
          ['7', '20260302', '11', 'B'],
          ['7', '20260302', '10', 'C'],
          ['8', '20260302', '10', 'C'],
        ),
        ofx(['7', '20260402', '10', 'A'], ['8', '20260302', '12', 'A']),
      ],
      [
        'csv',
        table('1,2026-03-02,10,A', '1,2026-03-02,10,B', '1,2026-03-02,10,A', '1,2026-03-03,10,A'),
        table('1,2026-03-02,-10,A', '2,2026-03-02,10,A'),
      ],
    ] as const) {
      const books = await world.tenant();
      const take = async (content: string) => importStatement(books, { account: '1000', format, content });
      const counts = [];
      for (const content of [...files, ...files]) counts.push(await take(content));
      assert.deepEqual(
        counts.map(({ added, known, skipped }) => [added, known, skipped.length]),
        [
          [4, 0, 0],
          [2, 0, 0],
          [0, 4, 4],
          [0, 2, 2],
        ],
        format,
      );
      assert.deepEqual(
        counts[3]?.skipped.map(({ reason }) => reason),
        ['known', 'known'],
      );
      assert.equal((await lines(books)).length, 6, format);
    }
  });

  test('tells every line that it leaves out, and takes those that look like another format’s once they are named', async () => {
    const books = await world.tenant();
    await load(
      books,
      '2026-03-02,-9.99,STREAMING ABO',
      '2026-03-03,-2.50,Coffee',
      '2026-03-03,-2.50,Coffee',
      '2026-03-09,5.00,Refund Shop',
    );
    const ofx = [
      ['20260302', '-9.99', 'Streaming GmbH'],
      ['20260303', '-2.50', 'Coffee bar'],
      ['20260304', '-2.50', 'Coffee bar'],
      ['20260305', '-2.50', 'Bakery'],
      ['20260310', '5.00', 'Refund'],
      ['20260310', '0.00', 'Note'],
      ['20260311', '77.00', 'New'],
    ];
    const content = `<OFX><STMTRS><CURDEF>EUR\n${ofx.map(([day, amount, name], index) => `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>${index}<NAME>${name}`).join('\n')}</STMTRS></OFX>`;
    const take = async (takeLines?: readonly number[]) =>
      importStatement(books, { account: '1000', format: 'ofx', content, takeLines });
    const first = await take();
    assert.deepEqual([first.added, first.known, first.doubles, first.skippedLines], [2, 0, 4, '2-4, 6-7']);
    assert.deepEqual(
      first.skipped.map(({ line, reason, day }) => [line, reason, day]),
      [
        [2, 'likely_double', '2026-03-02'],
        [3, 'likely_double', '2026-03-03'],
        [4, 'likely_double', '2026-03-04'],
        [6, 'likely_double', '2026-03-10'],
        [7, 'no_amount', '2026-03-10'],
      ],
    );
    const there = new Set((await lines(books)).map(({ id }) => id));
    assert.ok(first.skipped.every(({ lineId, reason }) => there.has(lineId ?? '') === (reason === 'likely_double')));
    const second = await take([4]);
    assert.deepEqual([second.added, second.known, second.doubles, second.statementId], [1, 2, 3, first.statementId]);
    assert.deepEqual([(await take()).known, (await lines(books)).length], [3, 7]);
    assert.equal((await load(books, '2026-03-02,-9.99,STREAMING ABO', '2026-03-11,77.00,New')).doubles, 1);
  });

  test('splits a line over entries, never beyond either, all parts or none', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-10,100.00,Two invoices');
    const [line] = await lines(books);
    const id = line?.id ?? '';
    const [first, second] = [await move(books, '2026-03-09', '60.00'), await move(books, '2026-03-09', '70.00')];
    const wrong = await move(books, '2026-03-09', '60.00', 'Out', true);
    assert.equal(
      await refusal(
        matchLine(books, { lineId: id, entries: [{ entryId: first.id }, { entryId: second.id, amount: '50.00' }] }),
      ),
      'match_exceeds',
    );
    assert.equal(await refusal(matchLine(books, { lineId: id, entries: [{ entryId: wrong.id }] })), 'match_exceeds');
    assert.equal(
      await refusal(matchLine(books, { lineId: id, entries: [{ entryId: first.id, amount: '-10.00' }] })),
      'match_exceeds',
    );
    await assert.rejects(
      matchLine(books, { lineId: id, entries: [{ entryId: first.id, amount: '10' }] }),
      /\/entries\/0\/amount: An amount in EUR has exactly 2 digits after the point: write 10\.00/,
    );
    assert.equal((await lines(books))[0]?.unmatched.amount, '100.00');
    const matched = await matchLine(books, { lineId: id, entries: [{ entryId: first.id }, { entryId: second.id }] });
    assert.deepEqual(
      [matched.unmatched.amount, matched.matches.map(({ amount }) => amount.amount)],
      ['0.00', ['60.00', '40.00']],
    );
    await assert.rejects(
      matchLine(books, { lineId: id, entries: [{ entryId: second.id }] }),
      /The line is already matched/,
    );
    const undone = await unmatch(books, { matchId: matched.matches[0]?.matchId ?? '' });
    assert.equal(undone.unmatched.amount, '60.00');
    const again = await unmatch(books, { matchId: matched.matches[0]?.matchId ?? '' });
    assert.deepEqual([isAsItWas(again), again], [true, undone]);
    assert.equal(await refusal(unmatch(books, { matchId: newId() })), 'not_found');
  });

  test('offers for a part of a line what is open of each entry that moves money its way, and none that is explained in full', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-10,60.00,One invoice', '2026-03-11,40.00,Another');
    const [line, later] = await lines(books);
    const [far, partly, whole] = [
      await move(books, '2026-03-01', '90.00'),
      await move(books, '2026-03-09', '70.00'),
      await move(books, '2026-03-10', '30.00'),
    ];
    const ofAmount = await move(books, '2026-02-01', '40.00');
    await move(books, '2026-03-10', '40.00', 'Out', true);
    await move(books, '2025-10-01', '40.00', 'Long ago');
    await matchLine(books, {
      lineId: line?.id ?? '',
      entries: [{ entryId: whole.id }, { entryId: partly.id, amount: '30.00' }],
    });
    const lineId = later?.id ?? '';
    const offered = (await openEntries(books, { lineId })).map(({ entryId, amount }) => [entryId, amount.amount]);
    assert.deepEqual(
      [offered.slice(0, 2).toSorted(), offered.slice(2)],
      [
        [
          [partly.id, '40.00'],
          [ofAmount.id, '40.00'],
        ].toSorted(),
        [[far.id, '90.00']],
      ],
    );
    assert.equal(await refusal(openEntries(books, { lineId: newId() })), 'not_found');
    const stranger = await world.tenant();
    assert.equal(await refusal(openEntries(stranger, { lineId })), 'not_found');
  });

  test('gives a line to one of those who match it at the same time', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-10,100.00,Once');
    const [line] = await lines(books);
    const entries = await Promise.all(Array.from({ length: 6 }, async () => move(books, '2026-03-10', '100.00')));
    const outcomes = await Promise.all(
      entries.map(async ({ id }) => refusal(matchLine(books, { lineId: line?.id ?? '', entries: [{ entryId: id }] }))),
    );
    assert.equal(outcomes.filter((one) => one === 'nothing was refused').length, 1);
    assert.ok(outcomes.every((one) => ['nothing was refused', 'match_exceeds'].includes(one)));
  });

  test('reconciles to the last unit or says what is missing, and keeps what was agreed', async () => {
    const books = await world.tenant();
    await move(books, '2026-02-28', '1000.00', 'Opening balance', false, 'opening');
    await load(books, '2026-03-02,250.00,Sale', '2026-03-20,-9.90,Charges', '2026-04-01,5.00,Interest');
    const sale = await move(books, '2026-03-01', '250.00', 'Sale');
    await move(books, '2026-03-30', '40.00', 'Cheque on its way', true);
    const march = { account: '1000', to: '2026-03-31', opening: '1000.00', closing: '1240.10' };
    assert.equal(await refusal(reconcile(books, march)), 'not_reconciled');
    await assert.rejects(
      reconcile(books, { ...march, closing: '1240,10' }),
      /\/closing: 1240,10 is no amount in EUR: write it with .* such as 1234\.56 or -1234\.56\./,
    );
    const [first, second, third] = await lines(books);
    await matchLine(books, { lineId: first?.id ?? '', entries: [{ entryId: sale.id }] });
    const posted = await postLine(books, { lineId: second?.id ?? '', account: '6900' });
    assert.deepEqual(
      posted.effects.map(({ code, before: held, after: holds }) => [code, held.amount, holds.amount]),
      [
        ['1000', '1210.00', '1200.10'],
        ['6900', '0.00', '9.90'],
      ],
    );
    const state = await reconciliationState(books, march);
    assert.deepEqual(
      [state.difference.amount, state.unmatchedLines, state.bookBalance.amount, state.outstanding.amount],
      ['0.00', 0, '1200.10', '-40.00'],
    );
    assert.equal(await refusal(reconcile(books, { ...march, closing: '1240.11' })), 'not_reconciled');
    const outcomes = await Promise.all([1, 2, 3].map(async () => reconcile(books, march)));
    assert.deepEqual(outcomes.map(isAsItWas).toSorted(), [false, true, true]);
    assert.deepEqual(outcomes[0], outcomes[2]);
    assert.equal(await refusal(reconcile(books, { ...march, closing: '1240.11' })), 'reconciled');
    assert.equal(await refusal(reconcile(books, { ...march, to: '2026-03-30' })), 'reconciled');
    assert.equal(
      await refusal(unmatch(books, { matchId: (await lines(books))[0]?.matches[0]?.matchId ?? '' })),
      'reconciled',
    );
    await postLine(books, { lineId: third?.id ?? '', account: '4900' });
    const april = await reconcile(books, { account: '1000', to: '2026-04-30', closing: '1245.10' });
    assert.deepEqual([april.opening.amount, april.completed], ['1240.10', true]);
  });

  test('what the books opened an account with is its opening balance, where none is given and no line explains it', async () => {
    const books = await world.tenant();
    const entry = await move(books, '2026-02-28', '2000.00', 'Opening balance', false, 'opening');
    await load(books, '2026-03-02,250.00,Sale');
    const march = { account: '1000', to: '2026-03-31', closing: '2250.00' };
    const { opening, difference } = await reconciliationState(books, march);
    assert.deepEqual([opening.amount, difference.amount], ['2000.00', '0.00']);
    const given = await reconciliationState(books, { ...march, opening: '0.00' });
    assert.deepEqual([given.opening.amount, given.difference.amount], ['0.00', '2000.00']);
    const before = await reconciliationState(books, { ...march, to: '2026-02-27', closing: '0.00' });
    assert.equal(before.opening.amount, '0.00');
    await load(books, '2026-03-01,2000.00,From the old bank', '2026-03-02,250.00,Sale');
    const [line] = await lines(books);
    await matchLine(books, { lineId: line?.id ?? '', entries: [{ entryId: entry.id }] });
    assert.equal((await reconciliationState(books, march)).opening.amount, '0.00', 'the bank tells of it by a line');
  });

  test('takes the latest reconciliation back, and a line of its days only then', async () => {
    const books = await world.tenant();
    await move(books, '2026-02-28', '1000.00', 'Opening balance', false, 'opening');
    const rows = ['2026-03-02,250.00,Sale', '2026-04-01,5.00,Interest'];
    await load(books, ...rows);
    for (const line of await lines(books)) await postLine(books, { lineId: line.id, account: '4900' });
    await reconcile(books, { account: '1000', to: '2026-03-31', opening: '1000.00', closing: '1250.00' });
    await reconcile(books, { account: '1000', to: '2026-04-30', closing: '1255.00' });
    assert.equal((await load(books, ...rows, '2026-05-02,1.00,New')).added, 1, 'known lines of agreed days do no harm');
    assert.equal(await refusal(load(books, '2026-03-15,-7.00,Late', ...rows)), 'reconciled');
    const undo = async () => undoReconciliation(books, { account: '1000', reason: 'The bank forgot a line' });
    assert.deepEqual(await undo(), { account: '1000', to: '2026-04-30', reconciledTo: '2026-03-31' });
    assert.equal(await refusal(load(books, '2026-03-15,-7.00,Late', ...rows)), 'reconciled');
    const outcomes = await Promise.all([1, 2, 3].map(async () => refusal(undo())));
    assert.deepEqual(outcomes.toSorted(), ['not_reconciled', 'not_reconciled', 'nothing was refused']);
    assert.equal((await load(books, '2026-03-15,-7.00,Late', ...rows)).added, 1);
    const late = (await lines(books, true)).find(({ amount }) => amount.amount === '-7.00');
    await postLine(books, { lineId: late?.id ?? '', account: '6900' });
    const march = { account: '1000', to: '2026-03-31', opening: '1000.00' };
    assert.equal(await refusal(reconcile(books, { ...march, closing: '1250.00' })), 'not_reconciled');
    assert.equal((await reconcile(books, { ...march, closing: '1243.00' })).completed, true);
  });

  test('gives a line that was posted to the wrong account back, and the entry is undone', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-02,-9.90,Charges');
    const [line] = await lines(books);
    const posted = await postLine(books, { lineId: line?.id ?? '', account: '6100' });
    const back = { id: posted.entry.id, date: '2026-03-02', narration: 'Wrong account' };
    assert.deepEqual((await reverseEntry(books, back)).lines, [line?.id]);
    assert.equal((await lines(books, true))[0]?.unmatched.amount, '-9.90');
    const again = await unmatch(books, { matchId: posted.line.matches[0]?.matchId ?? '' });
    assert.equal(isAsItWas(again), true);
    await postLine(books, { lineId: line?.id ?? '', account: '6900' });
    const state = await reconcile(books, { account: '1000', to: '2026-03-31', opening: '0.00', closing: '-9.90' });
    assert.deepEqual([state.outstanding.amount, state.bookBalance.amount], ['0.00', '-9.90']);
    const [agreed] = await lines(books);
    const undo = { ...back, id: agreed?.matches[0]?.entryId ?? '' };
    assert.equal(await refusal(reverseEntry(books, undo)), 'reconciled');
  });

  test('suggests neither what was reversed nor its reversal, until the bank shows one of the two', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-02,80.00,Rent', '2026-03-04,-80.00,Rent sent back');
    const [line, sentBack] = await lines(books);
    const suggested = async (lineId = line?.id ?? ''): Promise<(string | null)[]> =>
      (await suggest(books, { lineId })).map(({ entryId }) => entryId);
    const { entry } = await postLine(books, { lineId: line?.id ?? '', account: '4000' });
    const { entry: reversal } = await reverseEntry(books, {
      id: entry.id,
      date: '2026-03-04',
      narration: 'Wrong account',
    });
    assert.deepEqual([await suggested(), await suggested(sentBack?.id)], [[], []]);
    const other = await move(books, '2026-03-08', '80.00', 'Rent of a neighbour');
    assert.deepEqual(await suggested(), [other.id]);
    const offered = (await openEntries(books, { lineId: line?.id ?? '' })).map(({ entryId }) => entryId);
    assert.deepEqual(offered, [other.id, entry.id], 'by hand it may be taken still');
    await matchLine(books, { lineId: line?.id ?? '', entries: [{ entryId: entry.id }] });
    assert.deepEqual(await suggested(sentBack?.id), [reversal.id]);
  });

  test('is held to lines and entries against the application’s own login', async () => {
    const books = await world.tenant();
    await load(books, '2026-03-02,100.00,Sale', '2026-03-09,50.00,Sale');
    const [first, second] = await lines(books);
    const { id } = await move(books, '2026-03-02', '120.00');
    const other = await move(books, '2026-03-02', '5.00', 'Out', true);
    const account = sql`select account_id from accounting.account where tenant_id = ${books.tenant}::uuid and code = '1000'`;
    const [bank] = await world.admin.query<{ account_id: string }>(account);
    const attempt = async (...statements: readonly string[]) => attack(world, books.tenant, statements);
    const match = (line: string | undefined, entry: string, amount: string): string => `
      insert into accounting.bank_match (tenant_id, match_id, line_id, entry_id, amount)
      values ('${books.tenant}', '${newId()}', '${line}', '${entry}', ${amount})`;
    for (const [entry, amount] of [
      [id, '10001'],
      [id, '-1'],
      [other.id, '500'],
      [other.id, '-500'],
    ] as const)
      assert.equal(await attempt(match(first?.id, entry, amount)), '42501', amount);
    assert.equal(await attempt(match(first?.id, id, '10000'), match(second?.id, id, '2001')), '42501');
    assert.equal(await attempt(match(first?.id, id, '10000'), match(first?.id, id, '1')), '42501');
    const agree = (opening: number, closing: number): string => `
      insert into accounting.reconciliation (tenant_id, reconciliation_id, account_id, from_day, to_day, opening, closing)
      values ('${books.tenant}', '${newId()}', '${bank?.account_id}', '2026-03-01', '2026-03-05', ${opening}, ${closing})`;
    assert.equal(await attempt(agree(0, 10_000)), '42501', 'a line is not explained');
    assert.equal(await attempt(match(first?.id, id, '10000')), undefined);
    assert.equal(await attempt(agree(0, 9_999)), '42501');
    assert.equal(await attempt(agree(0, 10_000)), undefined);
    assert.equal(await attempt(agree(0, 10_000)), '42501');
    for (const change of [
      'update accounting.bank_match set undone_at = now()',
      match(first?.id, id, '1'),
      `insert into accounting.bank_line select tenant_id, '${newId()}', statement_id, account_id, '2026-03-05', 1, 'x', null, null, 'x'
        from accounting.bank_line limit 1`,
    ])
      assert.equal(await attempt(change), 'AC007', change);
    for (const change of [
      'update accounting.reconciliation set closing = 1',
      'update accounting.reconciliation set undone_at = null',
      'delete from accounting.reconciliation',
      'update accounting.bank_line set amount = 1',
      'delete from accounting.bank_line',
      'update accounting.bank_match set amount = 1',
      'delete from accounting.bank_match',
    ])
      assert.equal(await attempt(change), '42501', change);
  });

  test('is another tenant’s as if it were not there, and changed by those who keep the books only', async () => {
    const books = await world.tenant({ members: { alice: 'owner', vera: 'viewer' } });
    await load(books, '2026-03-02,250.00,Sale');
    const [line] = await lines(books);
    const other = await world.tenant();
    const entry = await move(other, '2026-03-02', '250.00');
    assert.equal(await refusal(suggest(other, { lineId: line?.id ?? '' })), 'not_found');
    for (const by of [other, books])
      assert.equal(
        await refusal(matchLine(by, { lineId: line?.id ?? '', entries: [{ entryId: entry.id }] })),
        'not_found',
      );
    const viewer = world.as(books.tenant, 'vera');
    assert.equal((await lines(viewer)).length, 1);
    assert.equal(await refusal(load(viewer, '2026-03-02,1.00,x')), 'insufficient_role');
    assert.equal(await refusal(postLine(viewer, { lineId: line?.id ?? '', account: '6900' })), 'insufficient_role');
  });
});
