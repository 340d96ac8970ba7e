import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { sql } from '@steward/sql';
import { allocateCredit } from '../allocations/make.ts';
import { getParty } from '../contacts/get.ts';
import { listParties } from '../contacts/list.ts';
import { updateParty } from '../contacts/update.ts';
import { createParty } from '../contacts/create.ts';
import { documentOf, even, issued, newParty, paid, paymentOf } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { getPayment } from '../payments/get.ts';
import { recordPayment } from '../payments/record.ts';
import { closeMonth } from '../periods/close.ts';
import { archiveTax } from '../taxes/archive.ts';
import { createTax } from '../taxes/create.ts';
import { createDocument } from './create.ts';
import { getDocument } from './get.ts';
import { issueDocument } from './issue.ts';
import { updateDocument } from './update.ts';
import { voidDocument } from './void.ts';

const nothing = 'nothing was refused';

describe('a document', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('changes while it is a draft, and is issued as it was seen', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const draft = await createDocument(books, documentOf(ada, '10'));
    assert.deepEqual([draft.number, draft.open, draft.version], [null, null, 1]);
    const { kind: _kind, ...content } = documentOf(ada, '12');
    const changed = await updateDocument(books, draft.id, content, 1);
    assert.deepEqual([changed.total.amount, changed.version], ['12.00', 2]);
    assert.equal(await refusal(updateDocument(books, draft.id, content, 1)), 'stale_document');
    assert.equal(await refusal(issueDocument(books, { id: draft.id, version: 1 })), 'stale_document');
    const { document, effects, entries } = await issueDocument(books, { id: draft.id, version: 2 });
    assert.deepEqual([document.status, document.number, document.version], ['issued', 'INV-00001', 3]);
    assert.deepEqual(
      effects.map(({ code, before, after: then }) => [code, before.amount, then.amount]),
      [
        ['1100', '0.00', '12.00'],
        ['4000', '0.00', '-12.00'],
      ],
    );
    assert.equal(entries[0]?.kind, 'invoice');
    assert.equal(await refusal(updateDocument(books, draft.id, content)), 'not_a_draft');
    assert.equal(await refusal(issueDocument(books, { id: draft.id })), 'not_a_draft');
  });

  test('that is refused says where, and keeps nothing', async () => {
    const books = await world.tenant();
    const [ada, supplier] = [await newParty(books), await newParty(books, { customer: false })];
    const tax = (await createTax(books, { name: 'VAT', percentage: '19' })).id;
    const line = { description: 'x', quantity: '1', unitPrice: '1', account: '4000' };
    const tried = (changes: object, party = ada) => refusal(createDocument(books, documentOf(party, '1', changes)));
    for (const wrong of [
      { lines: [] },
      { lines: Array.from({ length: 201 }, () => line) },
      { lines: [{ ...line, quantity: '0' }] },
      { lines: [{ ...line, quantity: '-1' }] },
      { lines: [{ ...line, unitPrice: '1.0000001' }] },
      { lines: [{ ...line, description: ' ' }] },
      { lines: [{ ...line, taxId: ada }] },
      { currency: 'XAU' },
      { dueDate: '2026-03-01' },
      { supplierNumber: '1' },
      { credits: ada },
      { notes: 'x'.repeat(2001) },
    ])
      assert.equal(await tried(wrong), 'invalid_document', JSON.stringify(wrong).slice(0, 80));
    assert.equal(await tried({}, supplier), 'invalid_document');
    assert.equal(await tried({ kind: 'credit_note', credits: ada }), 'not_found');
    assert.equal(await tried({ lines: [{ ...line, account: '1100' }] }), 'control_account');
    assert.equal(await tried({ lines: [{ ...line, account: '123' }] }), 'account_unusable');
    const huge = { ...line, quantity: '999999999999', unitPrice: '999999999999' };
    assert.equal(await tried({ lines: [huge, { ...huge, unitPrice: '-999999999999' }] }), 'amount_too_large');
    const free = await createDocument(books, documentOf(ada, '0'));
    assert.equal(await refusal(issueDocument(books, { id: free.id })), 'nothing_to_issue');
    const dollars = await createDocument(books, documentOf(ada, '1', { currency: 'USD' }));
    assert.equal(await refusal(issueDocument(books, { id: dollars.id })), 'rate_missing');
    await archiveTax(books, tax);
    assert.equal(await tried({ lines: [{ ...line, taxId: tax }] }), 'invalid_document');
    await closeMonth(books, '2026-03-01');
    const late = await createDocument(books, documentOf(ada, '1'));
    assert.equal(await refusal(issueDocument(books, { id: late.id })), 'period_closed');
    await updateParty(books, ada, { archived: true });
    assert.equal(await tried({}), 'party_archived');
    const [counted] = await world.admin.query<{ n: bigint }>(sql`
      select count(*) as n from accounting.series where tenant_id = ${books.tenant}::uuid`);
    assert.equal(counted?.n, 0n, 'no number was taken');
  });

  test('of a supplier comes once, however its number is spelled and however many bring it', async () => {
    const books = await world.tenant();
    const [ada, bob] = [await newParty(books), await newParty(books)];
    const bill = (supplierNumber: string, party = ada) =>
      createDocument(books, documentOf(party, '1', { kind: 'bill', supplierNumber }));
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, async (_each, index) => refusal(bill(index % 2 === 0 ? 'RE-1' : ' re-1'))),
    );
    assert.deepEqual(outcomes.toSorted(), [...Array.from({ length: 4 }, () => 'duplicate_document'), nothing]);
    const [first] = await world.admin.query<{ document_id: string }>(sql`
      select document_id from accounting.document where tenant_id = ${books.tenant}::uuid`);
    const id = first?.document_id ?? '';
    await assert.rejects(bill('RE-1'), (error: { errors?: { detail: string }[]; detail?: string }) => {
      assert.equal(error.errors?.[0]?.detail, id);
      return error.detail?.includes(id) === true;
    });
    assert.equal(await refusal(bill('RE-1', bob)), nothing);
    await voidDocument(books, { id });
    assert.equal(await refusal(bill('RE-1')), nothing);
  });

  test('is numbered without holes when many are issued at once, and what fails takes no number', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const drafts = await Promise.all(
      Array.from({ length: 24 }, async (_each, index) =>
        createDocument(books, documentOf(ada, '1', index < 20 ? {} : { currency: 'USD' })),
      ),
    );
    const numbers = await Promise.all(
      drafts.map(async ({ id }) =>
        issueDocument(books, { id }).then(
          ({ document }) => document.number,
          () => undefined,
        ),
      ),
    );
    const taken = numbers.filter((number) => number !== undefined).toSorted();
    assert.deepEqual(
      taken,
      Array.from({ length: 20 }, (_each, index) => `INV-${String(index + 1).padStart(5, '0')}`),
    );
    assert.equal((await even(books, '2026-03-31')).open.receivable, 2_000n);
  });

  test('is issued once, and as one or the other of two that change and issue it', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    for (let round = 0; round < 4; round += 1) {
      const { id } = await createDocument(books, documentOf(ada, '1'));
      const { kind: _kind, ...content } = documentOf(ada, '2');
      const outcomes = await Promise.all([
        refusal(updateDocument(books, id, content, 1)),
        refusal(issueDocument(books, { id, version: 1 })),
        refusal(issueDocument(books, { id, version: 1 })),
      ]);
      const done = await getDocument(books, id);
      assert.equal(outcomes.filter((one) => one === nothing).length, 1, outcomes.join());
      assert.equal(done.total.amount, done.status === 'draft' ? '2.00' : '1.00');
    }
    await even(books, '2026-03-31');
  });

  test('is never paid more than it asks, whoever pays at the same time, nor paid and voided', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const invoice = await issued(books, ada, '100');
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async () =>
        refusal(recordPayment(books, paymentOf(ada, '40.00', { [invoice.id]: '40.00' }))),
      ),
    );
    assert.deepEqual(outcomes.toSorted(), [nothing, nothing, ...Array.from({ length: 4 }, () => 'over_allocated')]);
    assert.equal((await getDocument(books, invoice.id)).open?.amount, '20.00');
    for (let round = 0; round < 4; round += 1) {
      const other = await issued(books, ada, '10');
      const credit = await paid(books, ada, '10.00');
      const allocations = [{ itemId: other.id, amount: '10.00' }];
      const pair = await Promise.all([
        refusal(voidDocument(books, { id: other.id, date: '2026-03-10' })),
        refusal(allocateCredit(books, { creditId: credit.id, date: '2026-03-10', allocations })),
      ]);
      assert.ok(
        ['nothing was refused,over_allocated', 'allocated,nothing was refused'].includes(pair.join()),
        pair.join(),
      );
      assert.equal((await getPayment(books, credit.id)).open.amount, pair[1] === nothing ? '0.00' : '10.00');
    }
    await even(books, '2026-03-31');
  });

  test('is another tenant’s as if it were not there, and read by roles that do not keep the books', async () => {
    const books = await world.tenant({ members: { alice: 'owner', vera: 'viewer' } });
    const other = await world.tenant();
    const [ada, theirs] = [await newParty(books), await newParty(other)];
    const tax = (await createTax(books, { name: 'VAT', percentage: '19' })).id;
    const invoice = await issued(books, ada, '10');
    const draft = await createDocument(books, documentOf(ada, '1'));
    const credit = await paid(other, theirs, '10.00');
    for (const attempt of [
      async () => getDocument(other, invoice.id),
      async () => getParty(other, ada),
      async () => updateParty(other, ada, { name: 'Mine' }),
      async () => issueDocument(other, { id: draft.id }),
      async () => voidDocument(other, { id: invoice.id, date: '2026-03-31' }),
      async () => createDocument(other, documentOf(ada, '1')),
      async () => recordPayment(other, paymentOf(ada, '1.00')),
      async () => recordPayment(other, paymentOf(theirs, '1.00', { [invoice.id]: '1.00' })),
      async () =>
        allocateCredit(other, {
          creditId: credit.id,
          date: '2026-03-31',
          allocations: [{ itemId: invoice.id, amount: '1.00' }],
        }),
      async () => archiveTax(other, tax),
    ])
      assert.equal(await refusal(attempt()), 'not_found');
    const viewer = world.as(books.tenant, 'vera');
    assert.equal((await getDocument(viewer, invoice.id)).id, invoice.id);
    for (const attempt of [
      async () => createParty(viewer, { name: 'x' }),
      async () => createDocument(viewer, documentOf(ada, '1')),
      async () => issueDocument(viewer, { id: draft.id }),
      async () => recordPayment(viewer, paymentOf(ada, '1.00')),
      async () => voidDocument(viewer, { id: invoice.id }),
    ])
      assert.equal(await refusal(attempt()), 'insufficient_role');
  });

  test('and its payments, once in the books, are not changed by the application’s own login', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const invoice = await issued(books, ada, '10');
    await paid(books, ada, '4.00', { [invoice.id]: '4.00' });
    const attempt = async (text: string): Promise<string | undefined> => {
      const client = new pg.Client({ connectionString: world.db.appUrl });
      await client.connect();
      try {
        await client.query(`begin; set local app.tenant_id = '${books.tenant}'`);
        await client.query(text);
        return undefined;
      } catch (error) {
        return (error as pg.DatabaseError).code;
      } finally {
        await client.end();
      }
    };
    for (const change of [
      'update accounting.document set total = total + 1, net = net + 1',
      `update accounting.document set status = 'draft'`,
      `update accounting.document set number = 9`,
      'update accounting.document_line set net = 0',
      'delete from accounting.document_line',
      `insert into accounting.document_line select tenant_id, document_id, 2, 'x', 1, 1, account_id, null, null, 1, 0 from accounting.document_line`,
      'delete from accounting.document',
      'update accounting.payment set amount = 1',
      'delete from accounting.payment',
      'update accounting.item set amount = 1',
      'delete from accounting.item',
      'update accounting.allocation set amount = 1',
      'delete from accounting.allocation',
      'update accounting.tax set percentage = 0',
    ])
      assert.equal(await attempt(change), '42501', change);
    for (const change of [
      'update accounting.item set open_amount = amount + 1',
      'update accounting.item set open_amount = -1',
      'update accounting.item set open_base = base_amount + 1',
    ])
      assert.equal(await attempt(change), '23514', change);
  });

  test('has a party that is found by its name, and is told from the log by its id alone', async () => {
    const books = await world.tenant();
    const made = await createParty(books, {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      taxIdLast4: '6789',
      supplier: true,
    });
    await createParty(books, { name: 'Bob' });
    assert.deepEqual([made.customer, made.currency, made.termsDays], [false, 'EUR', 30]);
    const found = await listParties(books, { name: 'LOVE', role: 'supplier' }, { limit: 1 });
    assert.deepEqual([found.items.map(({ id }) => id), found.nextCursor], [[made.id], null]);
    await updateParty(books, made.id, { email: null, archived: true });
    assert.deepEqual((await listParties(books, { role: 'supplier' }, { limit: 9 })).items, []);
    assert.equal((await listParties(books, { archived: true }, { limit: 9 })).items.length, 2);
    assert.equal((await updateParty(books, made.id, { archived: false })).email, null);
    for (const wrong of [
      { name: ' ' },
      { email: 'x' },
      { termsDays: -1 },
      { currency: 'XXX' },
      { taxIdLast4: '123456789' },
    ])
      assert.equal(
        await refusal(createParty(books, { name: 'x', ...wrong })),
        'invalid_request',
        JSON.stringify(wrong),
      );
    const [told] = await world.admin.query<{ n: bigint }>(sql`
      select count(*) as n from audit.event e where tenant_id = ${books.tenant}::uuid and e::text ~* 'lovelace|ada@|6789'`);
    assert.equal(told?.n, 0n);
  });
});
