import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { updateParty } from '../parties/update.ts';
import { documentOf, issuing, newParty } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { closeMonth } from '../periods/close.ts';
import { archiveTax } from '../taxes/archive.ts';
import { createTax } from '../taxes/create.ts';
import { createDocument } from './create.ts';
import { beyondInWords } from './credited.ts';
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
    const changed = await updateDocument(books, { ...content, id: draft.id, version: 1 });
    assert.deepEqual([changed.total.amount, changed.version], ['12.00', 2]);
    assert.equal(await refusal(updateDocument(books, { ...content, id: draft.id, version: 1 })), 'stale_document');
    assert.equal(await refusal(issueDocument(books, { id: draft.id, version: 1 }, issuing)), 'stale_document');
    const { document, effects, entries } = await issueDocument(books, { id: draft.id, version: 2 }, issuing);
    assert.deepEqual([document.status, document.number, document.version], ['issued', 'INV-00001', 3]);
    assert.deepEqual(
      effects.map(({ code, before, after: then }) => [code, before.amount, then.amount]),
      [
        ['1100', '0.00', '12.00'],
        ['4000', '0.00', '-12.00'],
      ],
    );
    assert.equal(entries[0]?.kind, 'invoice');
    assert.equal(await refusal(updateDocument(books, { ...content, id: draft.id })), 'not_a_draft');
    assert.equal(await refusal(issueDocument(books, { id: draft.id }, issuing)), 'not_a_draft');
  });

  test('that is refused says where, and keeps nothing', async () => {
    const books = await world.tenant();
    const [ada, supplier] = [await newParty(books), await newParty(books, { customer: false })];
    const tax = (await createTax(books, { name: 'VAT', percentage: '19' })).id;
    const line = { description: 'x', quantity: '1', unitPrice: '1', account: '4000' };
    const tried = (changes: object, party = ada) => refusal(createDocument(books, documentOf(party, '1', changes)));
    for (const wrong of [
      { lines: [] },
      { lines: Array.from({ length: 2001 }, () => line) },
      { lines: [{ ...line, quantity: '0' }] },
      { lines: [{ ...line, quantity: '-1' }] },
      { lines: [{ ...line, quantity: '1000000000000' }] },
      { lines: [{ ...line, unitPrice: '1000000000000000000' }] },
      { lines: [{ ...line, unitPrice: '1.0000001' }] },
      { lines: [{ ...line, description: ' ' }] },
      { lines: [{ ...line, taxId: ada }] },
      { currency: 'XAU' },
      { dueDate: '2026-03-01' },
      { supplierNumber: '1' },
      { credits: ada },
      { notes: 'x'.repeat(2001) },
    ])
      assert.equal(await tried(wrong), 'document_invalid', JSON.stringify(wrong).slice(0, 80));
    assert.equal(await tried({}, supplier), 'document_invalid');
    assert.equal(await tried({ kind: 'credit_note', credits: ada }), 'not_found');
    assert.equal(await tried({ lines: [{ ...line, account: '1100' }] }), 'control_account');
    assert.equal(await tried({ lines: [{ ...line, account: '123' }] }), 'account_unusable');
    const huge = { ...line, quantity: '999999999999', unitPrice: '999999999999' };
    assert.equal(await tried({ lines: [huge, { ...huge, unitPrice: '-999999999999' }] }), 'amount_too_large');
    const free = await createDocument(books, documentOf(ada, '0'));
    assert.equal(await refusal(issueDocument(books, { id: free.id }, issuing)), 'nothing_to_issue');
    const dollars = await createDocument(books, documentOf(ada, '1', { currency: 'USD' }));
    assert.equal(await refusal(issueDocument(books, { id: dollars.id }, issuing)), 'rate_missing');
    await archiveTax(books, { taxId: tax }, { zonesTaxedBy: async () => [] });
    assert.equal(await tried({ lines: [{ ...line, taxId: tax }] }), 'document_invalid');
    await closeMonth(books, { month: '2026-03-01' });
    const late = await createDocument(books, documentOf(ada, '1'));
    assert.equal(await refusal(issueDocument(books, { id: late.id }, issuing)), 'period_closed');
    await updateParty(books, { id: ada, archived: true });
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
      assert.equal(error.errors?.[0]?.detail, error.detail);
      return error.detail?.includes(id) === true;
    });
    assert.equal(await refusal(bill('RE-1', bob)), nothing);
    await voidDocument(books, { id });
    assert.equal(await refusal(bill('RE-1')), nothing);
  });

  test('says how much all credits of what it credits take back, void ones and other currencies aside', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const invoice = await issueDocument(
      books,
      { id: (await createDocument(books, documentOf(ada, '100'))).id },
      issuing,
    );
    assert.deepEqual([invoice.document.credited, invoice.document.creditedBy], [null, []]);
    const credit = (amount: string, changes: object = {}) =>
      createDocument(books, documentOf(ada, amount, { kind: 'credit_note', credits: invoice.document.id, ...changes }));
    const of = async ({ id }: { readonly id: string }) => {
      const { credited } = await getDocument(books, { id });
      return [
        credited?.number,
        credited?.total.amount,
        credited?.issued.amount,
        credited?.drafts.amount,
        beyondInWords(credited ?? null),
      ];
    };
    const first = await credit('100');
    await credit('7', { currency: 'USD' });
    assert.deepEqual(await of(first), ['INV-00001', '100.00', '0.00', '100.00', undefined]);
    await issueDocument(books, { id: first.id }, issuing);
    assert.deepEqual(await of(first), ['INV-00001', '100.00', '100.00', '0.00', undefined]);
    const second = await credit('0.5');
    assert.deepEqual(
      [first, second].map(({ credited }) => credited?.id),
      [invoice.document.id, invoice.document.id],
    );
    assert.deepEqual(await of(second), [
      'INV-00001',
      '100.00',
      '100.00',
      '0.50',
      'With this, 100.50 of 100.00 EUR of INV-00001 are credited, 0.50 of that in drafts: more than it.',
    ]);
    const { document: over } = await issueDocument(books, { id: second.id }, issuing);
    assert.equal(
      beyondInWords(over.credited),
      'With this, 100.50 of 100.00 EUR of INV-00001 are credited: more than it.',
    );
    const itself = await getDocument(books, { id: invoice.document.id });
    assert.deepEqual(itself.credited, over.credited, 'of what is credited itself');
    assert.deepEqual(
      itself.creditedBy.map(({ number, status, total }) => [number, status, total.amount, total.currency]),
      [
        ['CN-00002', 'issued', '0.50', 'EUR'],
        [null, 'draft', '7.00', 'USD'],
        ['CN-00001', 'issued', '100.00', 'EUR'],
      ],
    );
    assert.deepEqual(over.creditedBy, []);
    await voidDocument(books, { id: second.id, date: over.issueDate });
    assert.deepEqual(await of(first), ['INV-00001', '100.00', '100.00', '0.00', undefined]);
    assert.equal((await getDocument(books, { id: invoice.document.id })).creditedBy.length, 2);
  });
});
