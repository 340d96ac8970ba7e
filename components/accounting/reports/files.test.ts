import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { listAccounts } from '../accounts/list.ts';
import { allocateCredit } from '../allocations/make.ts';
import { importStatement } from '../bank/import.ts';
import { listLines } from '../bank/list-lines.ts';
import { matchLine } from '../bank/match.ts';
import { reconcile } from '../bank/reconcile.ts';
import { reconciliationReport } from '../bank/reconciliation-report.ts';
import { listParties } from '../parties/list.ts';
import { createDocument } from '../documents/create.ts';
import { listDocuments } from '../documents/list.ts';
import { voidDocument } from '../documents/void.ts';
import { tables } from '../exports/tables.ts';
import { tableCsv } from '../exports/write.ts';
import { issued, newParty, paid } from '../fixtures/documents.ts';
import { recordEntry } from '../journal/record.ts';
import { importChart } from '../opening/import-chart.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { listPayments } from '../payments/list.ts';
import { voidPayment } from '../payments/void.ts';
import { openItems } from '../subledger/open-items.ts';
import { createTax } from '../taxes/create.ts';
import { agedReport } from './aged.ts';
import * as csv from './csv.ts';
import { agedCsv, form1099Csv, reconciliationCsv, taxLiabilityCsv } from './csv.ts';

/** The same context, and the most rows that were read through it at once. */
function watched(own: TenantContext): { readonly seen: TenantContext; readonly most: () => number } {
  let most = 0;
  const seen = new Proxy(own, {
    get: (target, name) =>
      name !== 'require'
        ? (Reflect.get(target, name) as unknown)
        : (...args: Parameters<TenantContext['require']>) => {
            const scope = target.require(...args);
            const counted = (rows: readonly unknown[]) => void (most = Math.max(most, rows.length));
            return {
              ...scope,
              read: async (...one: Parameters<typeof scope.read>) => {
                const rows = await scope.read(...one);
                counted(rows);
                return rows;
              },
              readAll: async (...all: Parameters<typeof scope.readAll>) => {
                const lists = await scope.readAll(...all);
                lists.forEach(counted);
                return lists;
              },
            };
          },
  });
  return { seen, most: () => most };
}

describe('reports as files', () => {
  let world: World;
  let books: TenantContext;
  let invoice: string;
  let first: string;
  let second: string;
  before(async () => {
    world = await createWorld();
    books = await world.tenant({ currency: 'USD' });
    const vat = (await createTax(books, { name: 'VAT 20', percentage: '20' })).id;
    const party = await newParty(books, { name: '=HYPERLINK("evil")' });
    const document = await issued(books, party, '', {
      currency: 'USD',
      issueDate: '2026-03-02',
      dueDate: '2026-03-10',
      lines: [{ description: 'x', quantity: '1', unitPrice: '100', account: '4000', taxId: vat }],
    });
    invoice = document.id;
    const received = await paid(
      books,
      party,
      '70.00',
      { [document.id]: '70.00' },
      { currency: 'USD', date: '2026-03-20' },
    );
    const made = await paid(books, party, '2000.00', {}, { currency: 'USD', direction: 'made', date: '2026-03-25' });
    [first, second] = [received.entryId, made.entryId];
    await importStatement(books, {
      account: '1000',
      format: 'csv',
      content: 'date,amount,description\n2026-03-21,70.00,=1+1\n',
    });
    const [line] = (await listLines(books, { account: '1000', limit: 10 })).items;
    await matchLine(books, { lineId: line?.id ?? '', entries: [{ entryId: first }] });
  });
  after(async () => world[Symbol.asyncDispose]());

  const text = async (lines: AsyncIterable<string>): Promise<string[]> =>
    (await Array.fromAsync(lines)).map((line) => line.trimEnd());

  test('aged items stand in the column of their age, each with the id it drills down to', async () => {
    assert.deepEqual(await text(agedCsv(books, { side: 'receivable', asOf: '2026-04-15' })), [
      'party,kind,number,date,due_date,days,open,currency,current,1 to 30,31 to 60,61 to 90,over 90,total,base_currency,item_id',
      `"'=HYPERLINK(""evil"")",invoice,INV-00001,2026-03-02,2026-03-10,36,50.00,USD,,,50.00,,,50.00,USD,${invoice}`,
      `"'=HYPERLINK(""evil"")",Total,,,,,,,0.00,0.00,50.00,0.00,0.00,50.00,USD,`,
      ',Total,,,,,,,0.00,0.00,50.00,0.00,0.00,50.00,USD,',
    ]);
  });

  test('tax by rate, on either basis', async () => {
    const span = { from: '2026-03-01', to: '2026-03-31' };
    const last = async (basis: 'accrual' | 'cash') => (await text(taxLiabilityCsv(books, { ...span, basis }))).slice(1);
    assert.deepEqual(await last('accrual'), [
      'VAT 20,20,100.00,20.00,0.00,0.00,,,,,,,USD',
      'Without tax,,0.00,,0.00,,,,,,,,USD',
      'Due,,,,,,20.00,,,,,,USD',
    ]);
    assert.deepEqual(await last('cash'), [
      'VAT 20,20,58.33,11.67,0.00,0.00,,,,,,,USD',
      'Without tax,,0.00,,0.00,,,,,,,,USD',
      'Due,,,,,,11.67,,,,,,USD',
    ]);
  });

  test('forms 1099 say who is reported and what is missing', async () => {
    const [, row] = await text(form1099Csv(books, 2026));
    assert.match(
      row ?? '',
      /^"'=HYPERLINK\(""evil""\)",,,nec_1,"[^"]+",2000\.00,0\.00,2000\.00,true,w9 tin,USD,[0-9a-f-]{36}$/,
    );
  });

  test('a reconciliation goes from the bank to the books, before it is agreed and as it was agreed', async () => {
    const report = async (wish: object) =>
      text(reconciliationCsv(books, { account: '1000', to: '2026-03-31', ...wish }));
    assert.equal(await refusal(report({})), 'invalid_request');
    const rows = await report({ closing: '70.00' });
    const line = rows[2]?.split(',').at(-1);
    const expected = [
      'section,date,description,amount,currency,unmatched,entries,id',
      'bank,2026-03-21,Opening,0.00,USD,,,',
      `bank,2026-03-21,'=1+1,70.00,USD,0.00,2,${line}`,
      'bank,2026-03-31,Difference,0.00,USD,,,',
      'bank,2026-03-31,Closing,70.00,USD,,,',
      `outstanding,2026-03-25,Payment PAY-00002 made,-2000.00,USD,,3,${second}`,
      'outstanding,2026-03-31,Total,-2000.00,USD,,,',
      'books,2026-03-31,Balance,-1930.00,USD,,,',
    ];
    assert.deepEqual(rows, expected);
    await reconcile(books, { account: '1000', to: '2026-03-31', closing: '70.00' });
    assert.deepEqual(await report({}), expected);
  });

  test('accounts are exported by their code, and bank lines by their day over all accounts, whatever came first', async () => {
    const own = await world.tenant({ currency: 'USD' });
    const bring = async (account: string, ...days: string[]) =>
      importStatement(own, {
        account,
        format: 'csv',
        content: `date,amount,description\n${days.map((one) => `${one},1.00,${one}\n`).join('')}`,
      });
    await bring('1000', '2026-03-20', '2026-03-10');
    await bring('1050', '2026-03-15', '2026-03-05');
    await bring('1000', '2026-03-01');
    await importChart(own, { content: 'code,name,type\n0900,Last in,asset\n' });
    const column = async (name: keyof typeof tables, at: number) =>
      (await text(tableCsv(own, tables[name]))).slice(1).map((row) => row.split(',')[at] ?? '');
    const codes = await column('accounts', 0);
    assert.equal(codes[0], '0900');
    assert.deepEqual(codes, codes.toSorted());
    assert.deepEqual(await column('bank-lines', 1), [
      '2026-03-01',
      '2026-03-05',
      '2026-03-10',
      '2026-03-15',
      '2026-03-20',
    ]);
  });

  test('exports say what lists say of the same thing, whatever became of it', async () => {
    const own = await world.tenant({ currency: 'USD' });
    const party = await newParty(own, { currency: 'USD', email: 'ada@example.com' });
    const dollars = { currency: 'USD' };
    const sale = { lines: [{ description: 'Work', quantity: '1.5', unitPrice: '100', account: '4000' }], ...dollars };
    const of = async (changes = {}) => issued(own, party, '', { ...sale, ...changes });
    const [whole, part, , taken] = [await of(), await of(), await of(), await of()];
    const credit = await of({ kind: 'credit_note' });
    await createDocument(own, { kind: 'invoice', partyId: party, issueDate: '2026-03-02', ...sale });
    await paid(own, party, '200.00', { [whole.id]: '150.00', [part.id]: '50.00' }, dollars);
    const gone = await paid(own, party, '1.00', {}, { ...dollars, reference: 'R 1' });
    await voidPayment(own, { id: gone.id, date: '2026-03-11' });
    await voidDocument(own, { id: taken.id, date: '2026-03-11' });
    await allocateCredit(own, {
      creditId: credit.id,
      date: '2026-03-15',
      allocations: [{ itemId: part.id, amount: '10.00' }],
    });
    await importStatement(own, {
      account: '1000',
      format: 'csv',
      content: 'date,amount,description\n2026-03-21,70.00,x\n',
    });
    const most = { limit: 200 };
    const documents = (await listDocuments(own, { ...most, lines: false })).items;
    const payments = (await listPayments(own, { ...most, open: false })).items;
    const numbers = new Map<string, string | null>([...documents, ...payments].map(({ id, number }) => [id, number]));
    const lists: Record<keyof typeof tables, { readonly key: string; readonly items: readonly object[] }> = {
      accounts: { key: 'account_id', items: (await listAccounts(own, most)).items },
      parties: { key: 'party_id', items: (await listParties(own, { ...most, archived: true })).items },
      documents: {
        key: 'document_id',
        items: documents.map(({ lines: [line], ...rest }) => ({ ...rest, ...line, party: rest.partyName })),
      },
      payments: { key: 'payment_id', items: payments.map((one) => ({ ...one, party: one.partyName })) },
      allocations: {
        key: 'allocation_id',
        items: payments.flatMap(({ allocations }) => allocations),
      },
      'bank-lines': { key: 'line_id', items: (await listLines(own, { account: '1000', ...most })).items },
    };
    for (const [name, { key, items }] of Object.entries(lists) as [keyof typeof tables, (typeof lists)['parties']][]) {
      const [head = '', ...rows] = await text(tableCsv(own, tables[name]));
      const columns = head.split(',');
      const listed = new Map(
        items.map((one) => [String((one as { readonly id: string }).id), one as Record<string, unknown>]),
      );
      let compared = 0;
      for (const row of rows) {
        const cells = Object.fromEntries(row.split(',').map((cell, at) => [columns[at] ?? '', cell]));
        const item = listed.get(cells[key] ?? '');
        for (const [column, cell] of Object.entries(cells)) {
          const shown = item?.[column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
          if (shown === undefined) continue;
          compared += 1;
          const amount = (shown as { readonly amount?: string } | null)?.amount;
          assert.equal(cell, shown === null ? '' : (amount ?? String(shown)), `${name}.csv, ${column} of ${row}`);
        }
        for (const side of name === 'allocations' ? ['credit', 'charge'] : [])
          assert.equal(cells[side], numbers.get(cells[`${side}_id`] ?? ''), row);
      }
      assert.ok(items.length > 0 && compared >= items.length * 3, `${name}.csv: ${compared} cells`);
    }
    const statuses = (await text(tableCsv(own, tables.documents)))
      .slice(1)
      .map((row) => row.split(',').slice(0, 3).join(' '));
    assert.deepEqual(statuses.toSorted(), [
      'credit_note CN-00001 issued',
      'invoice  draft',
      'invoice INV-00001 paid',
      'invoice INV-00002 issued',
      'invoice INV-00003 issued',
      'invoice INV-00004 void',
    ]);
  });

  test('no report or export reads more at once than a page, and none of a thousand lines is lost between two', async () => {
    const own = await world.tenant({ currency: 'USD' });
    const party = await newParty(own, { currency: 'USD' });
    await issued(own, party, '10', { currency: 'USD' });
    const days = Array.from(
      { length: 1300 },
      (_, at) => `2026-03-${String(1 + (at % 3)).padStart(2, '0')},1.00,Line ${at}`,
    );
    await importStatement(own, {
      account: '1000',
      format: 'csv',
      content: ['date,amount,description', ...days].join('\n'),
    });
    await recordEntry(own, {
      date: '2026-03-05',
      currency: 'USD',
      narration: 'Payroll',
      lines: [
        { account: '1000', debit: '1300.00' },
        ...days.map((memo) => ({ account: '4000', credit: '1.00', memo })),
      ],
    });
    const { seen, most } = watched(own);
    const march = { from: '2026-03-01', to: '2026-03-31' };
    const asOf = march.to;
    const to = { account: '1000', to: asOf, closing: '1300.00' };
    const reports: Record<keyof typeof csv, () => AsyncIterable<string>> = {
      trialBalanceCsv: () => csv.trialBalanceCsv(seen, { asOf, basis: 'cash' }),
      profitAndLossCsv: () => csv.profitAndLossCsv(seen, { ...march, compareFrom: march.from, compareTo: march.to }),
      balanceSheetCsv: () => csv.balanceSheetCsv(seen, { asOf, compareAsOf: asOf }),
      cashFlowCsv: () => csv.cashFlowCsv(seen, march),
      taxLiabilityCsv: () => csv.taxLiabilityCsv(seen, march),
      agedCsv: () => csv.agedCsv(seen, { side: 'receivable', asOf }),
      form1099Csv: () => csv.form1099Csv(seen, 2026),
      reconciliationCsv: () => csv.reconciliationCsv(seen, to),
      generalLedgerCsv: () => csv.generalLedgerCsv(seen, { accountId: '4000', ...march }),
      journalCsv: () => csv.journalCsv(seen, march),
    };
    const rows = new Map<string, readonly string[]>();
    for (const [name, report] of Object.entries(reports)) rows.set(name, await text(report()));
    for (const [name, table] of Object.entries(tables)) rows.set(name, await text(tableCsv(seen, table)));
    assert.ok(most() > 1 && most() <= 501, `${most()} rows at once`);
    for (const name of ['reconciliationCsv', 'generalLedgerCsv', 'bank-lines']) {
      const ids = (rows.get(name) ?? []).flatMap((row) => /Line \d+/.exec(row) ?? []);
      assert.deepEqual([ids.length, new Set(ids).size], [1300, 1300], name);
    }
    const { lines, state } = await reconciliationReport(own, to);
    assert.deepEqual([state.unmatchedLines, state.outstanding.amount], [1300, '1300.00']);
    const order = (await Array.fromAsync(lines)).map(({ day }) => day);
    assert.deepEqual(order, order.toSorted());
  });

  test('open items of new books, of which the database has no statistics yet, are not compared each with each', async () => {
    const own = await world.tenant();
    const party = await newParty(own);
    const many = 2000;
    await world.admin.withClient(async (client) => {
      // As documents would have left them; writing so many takes long.
      await client.query('set session_replication_role = replica');
      await client.query(
        `with d as (
           insert into accounting.document (tenant_id, document_id, kind, status, version, number, party_id, currency, issue_date, due_date, pricing,
             net, tax, total, rate, base_total, entry_id, issued_at)
           select $1, gen_random_uuid(), 'invoice', 'issued', 1, n, $2, 'EUR', '2026-03-01', date '2026-03-01' + n % 200, 'exclusive',
             100, 0, 100, 1, 100, gen_random_uuid(), now() from generate_series(1, $3::int) n returning *)
         insert into accounting.item (tenant_id, item_id, kind, side, nature, party_id, currency, amount, base_amount, open_amount, open_base,
           opened_on, due_on, moved_on)
         select tenant_id, document_id, kind, 'receivable', 'charge', party_id, currency, 100, 100, 100, 100, issue_date, due_date, issue_date from d`,
        [own.tenant, party, many],
      );
      await client.query('reset session_replication_role');
    });
    const { seen, most } = watched(own);
    const wish = { side: 'receivable', asOf: '2026-04-15' } as const;
    const { total, parties } = await agedReport(seen, wish);
    assert.deepEqual([total.amount, parties[0]?.count], ['2000.00', many]);
    assert.equal(most(), 1, 'the database sums');
    const listed = await text(agedCsv(seen, wish));
    assert.equal(listed.length, many + 3);
    assert.equal(new Set(listed.map((row) => row.split(',').at(-1))).size, many + 2, 'none twice, and none lost');
    assert.ok(most() <= 500, `${most()} rows at once`);
    const asked = openItems(own.tenant, '2026-04-15', 'receivable');
    const plan = await world.admin.withClient(async (client) =>
      client.query<{ 'QUERY PLAN': string }>({ text: `explain (analyze) ${asked.text}`, values: [...asked.values] }),
    );
    const compared = plan.rows.flatMap(
      (row) => /Rows Removed by Join Filter: (\d+)/.exec(row['QUERY PLAN'])?.[1] ?? [],
    );
    assert.ok(
      compared.every((count) => Number(count) < 10 * many),
      `${compared.join(', ')} pairs of ${many} items`,
    );
  });
});
