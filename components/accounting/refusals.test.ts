import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { z } from 'zod';
import { allocateCredit } from './allocations/make.ts';
import { undoAllocation } from './allocations/undo.ts';
import { importStatement } from './bank/import.ts';
import { listLines } from './bank/list-lines.ts';
import { matchLine } from './bank/match.ts';
import { postLine } from './bank/post-line.ts';
import { reconcile } from './bank/reconcile.ts';
import { undoReconciliation } from './bank/undo-reconciliation.ts';
import { createBill, createInvoice } from './documents/create.ts';
import { issueDocument } from './documents/issue.ts';
import { updateDocument } from './documents/update.ts';
import { voidDocument } from './documents/void.ts';
import { booksFail } from './errors.ts';
import { documentOf, issued, issuing, newParty, paid, paymentOf } from './fixtures/documents.ts';
import { assignFeed } from './feeds/assign.ts';
import { listFeeds } from './feeds/list.ts';
import { charge, said } from './fixtures/feed.ts';
import { createWorld, type World } from './fixtures/world.ts';
import { postEntry } from './journal/record.ts';
import { reverseEntry } from './journal/reverse.ts';
import { importBalances } from './opening/import-balances.ts';
import { importChart } from './opening/import-chart.ts';
import { updateParty } from './parties/update.ts';
import { recordPayment } from './payments/record.ts';
import { voidPayment } from './payments/void.ts';
import { closeMonth } from './periods/close.ts';
import { closeYear } from './periods/close-year.ts';
import { reopenMonth } from './periods/reopen.ts';
import { setRate } from './rates/set.ts';
import { profitAndLoss } from './reports/statements.ts';
import { archiveTax } from './taxes/archive.ts';
import { createTax } from './taxes/create.ts';
import { recordW9 } from './taxforms/record-w9.ts';
import { summary1099 } from './taxforms/summary.ts';

type Code = keyof typeof booksFail.table;

const issue = Object.assign(
  async (context: TenantContext, input: z.output<typeof issueDocument.input>) => issueDocument(context, input, issuing),
  { input: issueDocument.input },
);

/** A call, and the place in its input that it is refused for; none where the state of the books is, and nothing in the call mends it. */
interface Refused {
  readonly input: z.ZodObject;
  readonly given: unknown;
  readonly call: () => Promise<unknown>;
  readonly pointer: string | undefined;
}

describe('what accounting refuses', () => {
  let world: World;
  let books: TenantContext;
  const refused = <I extends object>(
    verb: ((context: TenantContext, input: I) => Promise<unknown>) & { readonly input: z.ZodObject },
    given: I,
    pointer?: string,
  ): Refused => ({ input: verb.input, given, call: async () => verb(books, given), pointer });
  const entryOf = (debit: string, credit = debit, changes: object = {}) => ({
    date: '2026-03-02',
    currency: 'EUR',
    narration: 'x',
    lines: [
      { account: '1000', debit },
      { account: '4000', credit },
    ],
    ...changes,
  });
  const drafted = (partyId: string, unitPrice = '100', changes: object = {}) => {
    const { kind: _kind, ...draft } = documentOf(partyId, unitPrice);
    return { kind: 'invoice' as const, ...draft, ...changes };
  };
  const csv = (...rows: string[]): string => ['Date,Amount,Description', ...rows, ''].join('\n');

  /** By code, every way that it is reached through a member of a call. */
  const cases: Readonly<Record<Code, () => Promise<readonly Refused[]>>> = {
    // It is said by an address alone, which takes no arguments: `documents/long.test.ts`.
    pdf_too_long: async () => [],
    invalid_amount: async () => [
      refused(postEntry, entryOf('1000'), '/lines/0/debit'),
      refused(recordPayment, paymentOf(await newParty(books), '5'), '/amount'),
      refused(reconcile, { account: '1050', to: '2026-03-31', closing: '5' }, '/closing'),
    ],
    amount_too_large: async () => [
      refused(postEntry, entryOf('9999999999999999999.00'), '/lines'),
      refused(createInvoice, drafted(await newParty(books), '999999999999999999'), '/lines'),
    ],
    unbalanced_entry: async () => [
      refused(postEntry, entryOf('1.00', '2.00'), '/lines'),
      refused(importBalances, { date: '2026-01-01', content: 'account,debit,credit\n1000,5.00,\n' }, '/content'),
    ],
    tax_in_use: async () => {
      const { id } = await createTax(books, { name: newId(), percentage: '19' });
      const zonesTaxedBy = async () => ['Germany'];
      const given = { taxId: id };
      return [
        {
          input: archiveTax.input,
          given,
          call: async () => archiveTax(books, given, { zonesTaxedBy }),
          pointer: '/taxId',
        },
      ];
    },
    account_unusable: async () => [
      refused(createTax, { name: newId(), percentage: '19', salesAccount: '1' }, '/salesAccount'),
      refused(createTax, { name: newId(), percentage: '19', purchaseAccount: '1100' }, '/purchaseAccount'),
      refused(recordPayment, paymentOf(await newParty(books), '5.00', {}, { account: '4000' }), '/account'),
      refused(reconcile, { account: '4000', to: '2026-03-31', closing: '0.00' }, '/account'),
      refused(postEntry, entryOf('1.00', '1.00', { lines: [{ account: '1', debit: '1.00' }] }), '/lines/0/account'),
      refused(
        createInvoice,
        drafted(await newParty(books), '1', {
          lines: [{ description: 'x', quantity: '1', unitPrice: '1', account: '1' }],
        }),
        '/lines/0/account',
      ),
    ],
    invalid_rate: async () => [
      refused(setRate, { currency: 'USD', day: '2026-03-02', rate: '0' }, '/rate'),
      refused(postEntry, entryOf('1.00', '1.00', { currency: 'USD', rate: '0' }), '/rate'),
      refused(recordPayment, paymentOf(await newParty(books), '5.00', {}, { currency: 'USD', rate: '0' }), '/rate'),
    ],
    rate_missing: async () => [
      refused(postEntry, entryOf('1.00', '1.00', { currency: 'CHF' }), '/currency'),
      refused(recordPayment, paymentOf(await newParty(books), '5.00', {}, { currency: 'CHF' }), '/currency'),
      refused(
        issue,
        { id: (await createInvoice(books, drafted(await newParty(books), '5', { currency: 'CHF' }))).id },
        '/id',
      ),
    ],
    period_closed: async () => {
      const party = await newParty(books);
      const { id } = await createInvoice(books, drafted(party, '5', { issueDate: '2025-05-01' }));
      await closeMonth(books, { month: '2025-05-01' });
      return [
        refused(postEntry, entryOf('1.00', '1.00', { date: '2025-05-31' }), '/date'),
        refused(recordPayment, paymentOf(party, '5.00', {}, { date: '2025-05-31' }), '/date'),
        refused(setRate, { currency: 'USD', day: '2025-05-31', rate: '1.1' }, '/day'),
        refused(issue, { id }, '/id'),
      ];
    },
    already_reversed: async () => {
      const { entry } = await postEntry(books, entryOf('1.00'));
      const undo = { id: entry.id, date: '2026-03-02', narration: 'x' };
      await reverseEntry(books, undo);
      return [refused(reverseEntry, undo, '/id')];
    },
    not_reversible: async () => {
      const { entryId } = await issued(books, await newParty(books), '5');
      const { entry } = await postEntry(books, entryOf('1.00'));
      return [
        refused(reverseEntry, { id: entryId ?? '', date: '2026-03-02', narration: 'x' }, '/id'),
        refused(reverseEntry, { id: entry.id, date: '2026-03-01', narration: 'x' }, '/date'),
      ];
    },
    year_closed: async () => {
      await closeYear(books, { day: '2020-06-01' });
      return [
        refused(closeYear, { day: '2019-06-01' }, '/day'),
        refused(reopenMonth, { month: '2020-06-01', reason: 'x' }, '/month'),
      ];
    },
    month_not_begun: async () => [refused(closeMonth, { month: '2199-06-01' }, '/month')],
    earlier_year_open: async () => {
      await postEntry(books, entryOf('1.00', '1.00', { date: '2024-06-01' }));
      return [refused(closeYear, { day: '2025-06-01' }, '/day')];
    },
    year_not_over: async () => [refused(closeYear, { day: '2199-06-01' }, '/day')],
    invalid_tin: async () => {
      const given = {
        partyId: await newParty(books),
        status: 'received',
        tin: { kind: 'ssn', number: '1' },
      } as const;
      const secret = new Uint8Array(32);
      return [
        { input: recordW9.input, given, call: async () => recordW9(books, given, { secret }), pointer: '/tin/number' },
      ];
    },
    books_not_usd: async () => [refused(summary1099, { year: 2025 })],
    invalid_chart: async () => [
      refused(importChart, { content: 'x' }, '/content'),
      refused(importBalances, { date: '2026-01-01', content: 'x' }, '/content'),
    ],
    already_opened: async () => {
      const given = { date: '2026-01-01', content: 'account,debit,credit\n1000,5.00,\n3000,,5.00\n' };
      await importBalances(books, given);
      return [refused(importBalances, given)];
    },
    invalid_statement: async () => [
      refused(importStatement, { account: '1000', format: 'csv', content: 'x' }, '/content'),
      refused(importStatement, { account: '1000', format: 'ofx', content: 'x' }, '/content'),
    ],
    match_exceeds: async () => {
      const lineId = await lineOf('2026-02-01,5.00,Match');
      const { entry } = await postEntry(books, entryOf('5.00', '5.00', { date: '2026-02-01' }));
      const part = { entryId: entry.id };
      return [
        refused(matchLine, { lineId, entries: [{ ...part, amount: '6.00' }] }, '/entries/0/amount'),
        refused(matchLine, { lineId, entries: [part, part] }, '/lineId'),
        refused(postLine, { lineId: await explained('2026-02-02,7.00,Fee'), account: '6900' }, '/lineId'),
      ];
    },
    reconciled: async () => {
      await importStatement(books, { account: '1050', format: 'csv', content: csv('2025-01-02,0.50,Float') });
      const [line] = (await listLines(books, { account: '1050', limit: 1 })).items;
      const { entry } = await postLine(books, { lineId: line?.id ?? '', account: '3000' });
      const given = { account: '1050', to: '2025-01-31', closing: '0.50', opening: '0.00' };
      await reconcile(books, given);
      return [
        refused(reconcile, { ...given, closing: '0.60' }, '/to'),
        refused(postLine, { lineId: line?.id ?? '', account: '3000' }, '/lineId'),
        refused(reverseEntry, { id: entry.id, date: '2025-01-02', narration: 'x' }, '/id'),
        refused(importStatement, { account: '1050', format: 'csv', content: csv('2025-01-03,0.70,Late') }, '/content'),
      ];
    },
    feed_in_use: async () => {
      await said(books, newId(), [charge(100n)]);
      const [feed] = (await listFeeds(books, {})).items;
      await said(books, newId(), [charge(100n)]);
      const { feedId = '', account } = feed ?? {};
      const [line] = (await listLines(books, { account: account ?? '', limit: 1 })).items;
      await postLine(books, { lineId: line?.id ?? '', account: '3000' });
      const other = (await listFeeds(books, {})).items.find((one) => one.account !== account);
      return [
        refused(assignFeed, { feedId, account: '1050' }, '/feedId'),
        refused(assignFeed, { feedId: other?.feedId ?? '', account: account ?? '' }, '/feedId'),
      ];
    },
    not_reconciled: async () => [
      refused(undoReconciliation, { account: '1190', reason: 'x' }, '/account'),
      refused(reconcile, { account: '1190', to: '2025-01-31', closing: '9.00' }),
    ],
    control_account: async () => [
      refused(
        postEntry,
        entryOf('1.00', '1.00', {
          lines: [
            { account: '1100', debit: '1.00' },
            { account: '4000', credit: '1.00' },
          ],
        }),
        '/lines',
      ),
      refused(
        createInvoice,
        drafted(await newParty(books), '1', {
          lines: [{ description: 'x', quantity: '1', unitPrice: '1', account: '1100' }],
        }),
        '/lines/0/account',
      ),
      refused(postLine, { lineId: await lineOf('2026-02-03,8.00,Control'), account: '1100' }, '/account'),
    ],
    party_archived: async () => {
      const partyId = await newParty(books);
      const { id } = await createInvoice(books, drafted(partyId));
      await updateParty(books, { id: partyId, archived: true });
      return [
        refused(createInvoice, drafted(partyId), '/partyId'),
        refused(recordPayment, paymentOf(partyId, '5.00'), '/partyId'),
        refused(updateDocument, { ...updated(partyId), id }, '/partyId'),
        refused(issue, { id }, '/id'),
      ];
    },
    invalid_percentage: async () => [refused(createTax, { name: 'x', percentage: '101' }, '/percentage')],
    name_taken: async () => {
      const tax = { name: newId(), percentage: '19' };
      await createTax(books, tax);
      return [refused(createTax, tax, '/name')];
    },
    document_invalid: async () => {
      const partyId = await newParty(books, { supplier: false });
      const lines = [{ description: 'x', quantity: '0', unitPrice: '1', account: '4000' }];
      return [
        refused(createInvoice, drafted(partyId, '1', { lines }), '/lines/0/quantity'),
        refused(createInvoice, drafted(partyId, '1', { dueDate: '2020-01-01' }), '/dueDate'),
        refused(createInvoice, drafted(partyId, '1', { credits: await draftOf() }), '/credits'),
        refused(createBill, { ...drafted(partyId), kind: 'bill' }, '/partyId'),
      ];
    },
    duplicate_document: async () => {
      const bill = { ...drafted(await newParty(books)), kind: 'bill' as const, supplierNumber: 'A 1' };
      await createBill(books, bill);
      return [refused(createBill, bill, '/supplierNumber')];
    },
    not_a_draft: async () => {
      const { id } = await issued(books, await newParty(books), '5');
      return [refused(issue, { id }, '/id'), refused(updateDocument, { ...updated(await newParty(books)), id }, '/id')];
    },
    stale_document: async () => {
      const stale = { id: await draftOf(), version: 7 };
      return [
        refused(issue, stale, '/version'),
        refused(voidDocument, stale, '/version'),
        refused(updateDocument, { ...updated(await newParty(books)), ...stale }, '/version'),
      ];
    },
    nothing_to_issue: async () => [
      refused(issue, { id: (await createInvoice(books, drafted(await newParty(books), '0'))).id }, '/id'),
    ],
    already_void: async () => {
      const party = await newParty(books);
      const [document, payment] = [await issued(books, party, '5'), await paid(books, party, '5.00')];
      await voidDocument(books, { id: document.id });
      await voidPayment(books, { id: payment.id });
      return [refused(voidDocument, { id: document.id }, '/id'), refused(voidPayment, { id: payment.id }, '/id')];
    },
    allocated: async () => {
      const { invoice, payment } = await settled();
      return [refused(voidDocument, { id: invoice }, '/id'), refused(voidPayment, { id: payment }, '/id')];
    },
    not_allocated: async () => {
      const { allocation } = await settled();
      await undoAllocation(books, { id: allocation });
      return [refused(undoAllocation, { id: allocation }, '/id')];
    },
    date_too_early: async () => {
      const party = await newParty(books);
      const [document, payment] = [await issued(books, party, '5'), await paid(books, party, '5.00')];
      return [
        refused(voidDocument, { id: document.id, date: '2026-01-01' }, '/date'),
        refused(voidPayment, { id: payment.id, date: '2026-01-01' }, '/date'),
        refused(undoAllocation, { id: (await settled()).allocation, date: '2026-01-01' }, '/date'),
      ];
    },
    over_allocated: async () => {
      const party = await newParty(books);
      const [invoice, payment] = [await issued(books, party, '5'), await paid(books, party, '9.00')];
      const allocations = [{ itemId: invoice.id, amount: '6.00' }];
      return [
        refused(recordPayment, paymentOf(party, '9.00', { [invoice.id]: '6.00' }), '/allocations/0/amount'),
        refused(allocateCredit, { creditId: payment.id, date: '2026-03-10', allocations }, '/allocations/0/amount'),
      ];
    },
    not_matching: async () => {
      const party = await newParty(books, { customer: false, supplier: true });
      const { id } = await issued(books, await newParty(books), '5');
      const customer = await newParty(books, { supplier: false });
      return [
        refused(recordPayment, paymentOf(party, '5.00'), '/partyId'),
        refused(recordPayment, paymentOf(customer, '5.00', { [id]: '5.00' }), '/allocations/0'),
      ];
    },
  };

  /** What one member says that is no code of accounting's own. */
  const others: readonly (() => Promise<readonly [code: string, refused: Refused]>)[] = [
    async () => ['invalid_request', refused(setRate, { currency: 'EUR', day: '2026-03-02', rate: '1' }, '/currency')],
    async () => ['invalid_request', refused(profitAndLoss, { from: '2026-02-01', to: '2026-01-01' }, '/to')],
    async () => [
      'invalid_request',
      refused(profitAndLoss, { from: '2026-01-01', to: '2026-02-01', compareFrom: '2025-01-01' }, '/compareTo'),
    ],
    async () => ['not_found', refused(recordPayment, paymentOf(newId(), '5.00'), '/partyId')],
    async () => ['not_found', refused(createInvoice, drafted(newId()), '/partyId')],
    async () => [
      'not_found',
      refused(
        allocateCredit,
        { creditId: newId(), date: '2026-03-10', allocations: [{ itemId: newId(), amount: '1.00' }] },
        '/creditId',
      ),
    ],
    async () => [
      'not_found',
      refused(
        matchLine,
        { lineId: await lineOf('2026-02-04,9.00,Nothing'), entries: [{ entryId: newId() }] },
        '/entries/0/entryId',
      ),
    ],
    async () => [
      'not_found',
      refused(postLine, { lineId: await lineOf('2026-02-05,9.00,Nowhere'), account: '1' }, '/account'),
    ],
  ];

  const draftOf = async (): Promise<string> => (await createInvoice(books, drafted(await newParty(books)))).id;
  function updated(partyId: string) {
    const { kind: _kind, ...rest } = drafted(partyId);
    return rest;
  }
  async function lineOf(row: string): Promise<string> {
    await importStatement(books, { account: '1000', format: 'csv', content: csv(row) });
    const day = row.slice(0, 10);
    const { items } = await listLines(books, { account: '1000', from: day, to: day, limit: 200 });
    return items.find(({ description }) => row.endsWith(description))?.id ?? '';
  }
  async function explained(row: string): Promise<string> {
    const lineId = await lineOf(row);
    await postLine(books, { lineId, account: '4900' });
    return lineId;
  }
  async function settled(): Promise<{ invoice: string; payment: string; allocation: string }> {
    const party = await newParty(books);
    const invoice = await issued(books, party, '5');
    const payment = await paid(books, party, '5.00', { [invoice.id]: '5.00' });
    return { invoice: invoice.id, payment: payment.id, allocation: payment.allocations[0]?.id ?? '' };
  }

  before(async () => {
    world = await createWorld();
    books = await world.tenant();
  });
  after(async () => world[Symbol.asyncDispose]());

  for (const code of Object.keys(booksFail.table) as Code[])
    test(`${code} is told at the member of the call that mends it`, async () => {
      for (const one of await cases[code]()) await judge(code, one);
    });

  test('what is not valid or not there is told so too', async () => {
    for (const make of others) await judge(...(await make()));
  });

  test('an amount without the digits of its currency is refused with the one to write', async () => {
    const told = async (text: string, currency: string): Promise<string | undefined> =>
      (await problemOf(postEntry(books, entryOf(text, text, { currency })))).errors?.[0]?.detail;
    assert.equal(await told('1000', 'EUR'), 'An amount in EUR has exactly 2 digits after the point: write 1000.00.');
    assert.equal(await told('19.9', 'EUR'), 'An amount in EUR has exactly 2 digits after the point: write 19.90.');
    assert.equal(
      await told('19.999', 'EUR'),
      '19.999 is no amount in EUR: write it with exactly 2 digits after the point, such as 1234.56.',
    );
    assert.equal(await told('5.0', 'JPY'), '5.0 is no amount in JPY: write it with no point, such as 123456.');
    for (const none of ['0', '0.0', '0.00', '-5', '-5.00', '-0.001'])
      assert.equal(await told(none, 'EUR'), `${none} is not above zero: give an amount such as 1234.56.`);
  });

  async function judge(code: string, { input, given, call, pointer }: Refused): Promise<void> {
    const where = `${code} ${JSON.stringify(given)}`;
    const problem = await problemOf(call());
    assert.equal(problem.code, code, `${where}: ${problem.detail}`);
    assert.equal(problem.errors?.[0]?.pointer, pointer, where);
    for (const one of problem.errors ?? []) {
      const [member = '', ...rest] = one.pointer.split('/').slice(1);
      assert.ok(Object.hasOwn(input.shape, member), where);
      const at = [member, ...rest].reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], given);
      // What was left out may be what is to be given.
      assert.ok(at !== undefined || rest.length === 0, `${one.pointer} of ${where}`);
    }
  }
});

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof Problem, `refused: ${String(error)}`);
  return error;
}
