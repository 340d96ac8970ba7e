import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { allocateCredit } from '../allocations/make.ts';
import { getParty } from '../parties/get.ts';
import { updateParty } from '../parties/update.ts';
import { createParty } from '../parties/create.ts';
import { documentOf, issued, issuing, newParty, paid, paymentOf } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordPayment } from '../payments/record.ts';
import { archiveTax } from '../taxes/archive.ts';
import { createTax } from '../taxes/create.ts';
import { createDocument } from './create.ts';
import { getDocument } from './get.ts';
import { issueDocument } from './issue.ts';
import { voidDocument } from './void.ts';

describe('a document', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is another tenant’s as if it were not there, and read by roles that do not keep the books', async () => {
    const books = await world.tenant({ members: { alice: 'owner', vera: 'viewer' } });
    const other = await world.tenant();
    const [ada, theirs] = [await newParty(books), await newParty(other)];
    const tax = (await createTax(books, { name: 'VAT', percentage: '19' })).id;
    const invoice = await issued(books, ada, '10');
    const draft = await createDocument(books, documentOf(ada, '1'));
    const credit = await paid(other, theirs, '10.00');
    for (const attempt of [
      async () => getDocument(other, { id: invoice.id }),
      async () => getParty(other, { id: ada }),
      async () => updateParty(other, { id: ada, name: 'Mine' }),
      async () => issueDocument(other, { id: draft.id }, issuing),
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
      async () => archiveTax(other, { taxId: tax }, { zonesTaxedBy: async () => [] }),
    ])
      assert.equal(await refusal(attempt()), 'not_found');
    const viewer = world.as(books.tenant, 'vera');
    assert.equal((await getDocument(viewer, { id: invoice.id })).id, invoice.id);
    for (const attempt of [
      async () => createParty(viewer, { name: 'x' }),
      async () => createDocument(viewer, documentOf(ada, '1')),
      async () => issueDocument(viewer, { id: draft.id }, issuing),
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
  });
});
