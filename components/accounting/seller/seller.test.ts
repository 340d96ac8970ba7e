import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { statement, type TenantContext } from '@steward/sql';
import { createDocument } from '../documents/create.ts';
import { getDocument } from '../documents/get.ts';
import { issueDocument } from '../documents/issue.ts';
import { updateDocument } from '../documents/update.ts';
import { voidDocument } from '../documents/void.ts';
import { documentOf, issuing, newParty } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { createParty } from '../parties/create.ts';
import { eraseParties } from '../parties/erase.ts';
import { getParty } from '../parties/get.ts';
import { updateParty } from '../parties/update.ts';
import { keepBooks } from '../permissions.ts';
import { getSeller } from './get.ts';
import { updateSeller } from './update.ts';

const helsinki = {
  name: null,
  address: 'Kaivokatu 1\n00100 Helsinki',
  vatNumber: 'FI12345678',
  registration: 'Helsinki, 1234567-8',
  paymentDetails: 'IBAN FI21 1234\nBIC NDEAFIHH',
  language: 'de' as const,
};
const london = { address: '12 St James’s Square\nLondon', vatNumber: 'GB 123 4567 89' };
const none = {
  name: null,
  address: null,
  vatNumber: null,
  registration: null,
  paymentDetails: null,
  language: 'en' as const,
};

describe('who sells and who buys', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const shownOf = async (books: TenantContext, id: string) => {
    const { seller, buyer } = await getDocument(books, { id });
    return { seller, buyer };
  };

  test('are shown by a draft as they are now, and kept by what is issued, whatever changes later', async () => {
    const books = await world.tenant();
    assert.deepEqual(await getSeller(books, {}), none);
    assert.deepEqual(await updateSeller(books, helsinki), helsinki);
    const ada = await newParty(books, london);
    const { id } = await createDocument(books, documentOf(ada, '10'));
    const buyer = { name: 'Ada Lovelace', ...london };
    assert.deepEqual(await shownOf(books, id), { seller: helsinki, buyer });
    await updateSeller(books, { address: 'Mannerheimintie 2\n00100 Helsinki' });
    assert.equal((await shownOf(books, id)).seller?.address, 'Mannerheimintie 2\n00100 Helsinki');
    await updateSeller(books, { address: helsinki.address });

    const made = await issueDocument(books, { id }, issuing);
    const held = { seller: { ...helsinki, name: 'Fjord Bikes' }, buyer };
    assert.deepEqual({ seller: made.document.seller, buyer: made.document.buyer }, held);
    await updateSeller(books, { name: 'Fjord Bikes Oy' });
    await updateSeller(books, none);
    await updateParty(books, { id: ada, name: 'Ada King', address: 'Elsewhere', vatNumber: null });
    assert.deepEqual(await shownOf(books, id), held);
    await voidDocument(books, { id, date: '2026-03-31' });
    assert.deepEqual(await shownOf(books, id), held);

    await updateSeller(books, { name: ' Fjord Bikes Oy ' });
    const legal = await createDocument(books, documentOf(ada, '10'));
    assert.equal(legal.seller?.name, 'Fjord Bikes Oy', 'a draft says its name in law');
    const { document: named } = await issueDocument(books, { id: legal.id }, issuing);
    assert.equal(named.seller?.name, 'Fjord Bikes Oy', 'whatever the organization is called');
    await updateSeller(books, { name: null });

    const credit = await createDocument(books, documentOf(ada, '1', { kind: 'credit_note' }));
    const noted = await issueDocument(books, { id: credit.id }, issuing);
    assert.deepEqual(noted.document.seller, { ...none, name: 'Fjord Bikes' });
    await updateSeller(books, helsinki);
    const paid = await createDocument(books, documentOf(ada, '1', { kind: 'credit_note' }));
    const back = await issueDocument(books, { id: paid.id }, issuing);
    for (const one of [paid, back.document])
      assert.equal(one.seller?.paymentDetails, null, 'a credit note says nowhere to pay to');
    assert.deepEqual(noted.document.buyer, { name: 'Ada King', address: 'Elsewhere', vatNumber: null });
  });

  test('are not said of what suppliers send', async () => {
    const books = await world.tenant();
    await updateSeller(books, helsinki);
    const ada = await newParty(books, london);
    const bill = await createDocument(books, {
      ...documentOf(ada, '10'),
      kind: 'bill',
      lines: [{ description: 'Work', quantity: '1', unitPrice: '10', account: '6100' }],
    });
    assert.deepEqual([bill.seller, bill.buyer], [null, null]);
    const { document } = await issueDocument(books, { id: bill.id }, issuing);
    assert.deepEqual([document.seller, document.buyer], [null, null]);
  });

  test('an order’s buyer stands for the party of its document, as a whole, whoever the draft is for', async () => {
    const books = await world.tenant();
    const [ada, bob] = [await newParty(books, london), await newParty(books, { name: 'Bob', address: 'Own street 1' })];
    const billed = { name: 'Muster GmbH', address: 'Max Muster\nRing 1\n1010 Wien\nAT', vatNumber: null };
    const draft = await createDocument(books, documentOf(ada, '10'), { buyer: billed });
    assert.deepEqual(draft.buyer, billed, 'the party’s VAT number is not the buyer’s');
    const { kind: _kind, ...content } = documentOf(ada, '12');
    const changed = await updateDocument(books, {
      ...content,
      lines: [{ ...content.lines[0]!, quantity: '1' }],
      id: draft.id,
    });
    assert.deepEqual(changed.buyer, draft.buyer);
    const moved = await updateDocument(books, {
      ...content,
      lines: [{ ...content.lines[0]!, quantity: '1' }],
      partyId: bob,
      id: draft.id,
    });
    assert.deepEqual(moved.buyer, billed);
    const { document: held } = await issueDocument(books, { id: draft.id }, issuing);
    assert.deepEqual(held.buyer, billed);
    const named = await createDocument(books, documentOf(ada, '10'), {
      buyer: { name: 'mal@example.com', address: null, vatNumber: null },
    });
    const { document: bare } = await issueDocument(books, { id: named.id }, issuing);
    assert.deepEqual(bare.buyer, { name: 'mal@example.com', address: null, vatNumber: null });
  });

  test('a credit note is made out to whom its invoice is, of an order and of a customer who moved since', async () => {
    const books = await world.tenant();
    const ada = await newParty(books, london);
    const billed = { name: 'Muster GmbH', address: 'Ring 1\n1010 Wien\nAT', vatNumber: 'ATU12345678' };
    const invoices = [];
    for (const terms of [{ buyer: billed }, {}]) {
      const { id } = await createDocument(books, documentOf(ada, '10'), terms);
      invoices.push((await issueDocument(books, { id }, issuing)).document);
    }
    await updateParty(books, { id: ada, name: 'Ada King', address: 'Elsewhere', vatNumber: null });
    const note = (credits?: string) =>
      documentOf(ada, '1', { kind: 'credit_note', ...(credits === undefined ? {} : { credits }) });
    for (const { id, buyer } of invoices) {
      const draft = await createDocument(books, note(id));
      assert.deepEqual(draft.buyer, buyer);
      assert.deepEqual((await issueDocument(books, { id: draft.id }, issuing)).document.buyer, buyer);
    }
    // Told later what it credits, another, and nothing.
    const { id } = await createDocument(books, note());
    for (const one of [...invoices, undefined]) {
      const { kind: _kind, ...content } = note(one?.id);
      const moved = { name: 'Ada King', address: 'Elsewhere', vatNumber: null };
      assert.deepEqual((await updateDocument(books, { ...content, id })).buyer, one?.buyer ?? moved);
    }
  });

  test('addresses are kept a line each, and what is no address is refused', async () => {
    const books = await world.tenant();
    const said = await updateSeller(books, { address: ' Ring 1 \r\n\r\n\n  1010 Wien\n' });
    assert.equal(said.address, 'Ring 1\n1010 Wien');
    const most = Array.from({ length: 10 }, (_each, line) => `Line ${line}`).join('\n');
    const markup = '<b>Ring</b> & 1\u202E';
    for (const address of [most, markup, 'x'.repeat(500)]) {
      assert.equal((await updateSeller(books, { address })).address, address);
      assert.equal((await createParty(books, { name: 'Ada', address }, undefined)).address, address);
    }
    const ada = await newParty(books);
    for (const address of ['', ' \n ', `${most}\nmore`, 'x'.repeat(501), 'a\0b', 'a\tb', 'a\u0085b', 'a\uD800'])
      for (const attempt of [
        async () => updateSeller(books, { address }),
        async () => createParty(books, { name: 'Ada', address }, undefined),
        async () => updateParty(books, { id: ada, address }, undefined),
      ])
        assert.equal(await refusal(attempt()), 'invalid_request', JSON.stringify(address));
    for (const vatNumber of ['', 'A', 'x'.repeat(21), 'DE1\n2', '-1', 'DE<b>'])
      for (const attempt of [
        async () => updateSeller(books, { vatNumber }),
        async () => updateParty(books, { id: ada, vatNumber }, undefined),
      ])
        assert.equal(await refusal(attempt()), 'invalid_request', JSON.stringify(vatNumber));
    for (const paymentDetails of ['', ' \n ', `${most}\nmore`, 'x'.repeat(501), 'a\0b'])
      assert.equal(await refusal(updateSeller(books, { paymentDetails })), 'invalid_request', paymentDetails);
    for (const line of ['', ' ', 'a\nb', 'a\0', 'x'.repeat(201)])
      for (const change of [{ registration: line }, { name: line }])
        assert.equal(await refusal(updateSeller(books, change)), 'invalid_request', JSON.stringify(change));
    assert.equal((await updateSeller(books, { vatNumber: ' DE 123.456-78 ' })).vatNumber, 'DE 123.456-78');
  });

  test('are those of one organization, read by everyone in it and changed by those who keep its books', async () => {
    const books = await world.tenant({ members: { alice: 'owner', vera: 'viewer' } });
    const other = await world.tenant();
    await updateSeller(books, helsinki);
    assert.deepEqual(await getSeller(other, {}), none);
    const { id } = await createDocument(other, documentOf(await newParty(other), '10'));
    assert.deepEqual((await shownOf(other, id)).seller, none);
    const viewer = world.as(books.tenant, 'vera');
    assert.deepEqual(await getSeller(viewer, {}), helsinki);
    assert.equal(await refusal(updateSeller(viewer, none)), 'insufficient_role');
  });

  test('changes that come at once leave one of them whole', async () => {
    const books = await world.tenant();
    await Promise.all([
      updateSeller(books, { address: 'One' }),
      updateSeller(books, { vatNumber: 'TWO2' }),
      updateSeller(books, { registration: 'Three' }),
    ]);
    assert.deepEqual(await getSeller(books, {}), {
      name: null,
      address: 'One',
      vatNumber: 'TWO2',
      registration: 'Three',
      paymentDetails: null,
      language: 'en',
    });
  });

  test('erasing a person removes address and number from the party, and keeps what was issued', async () => {
    const books = await world.tenant();
    const [booked, fresh] = [await newParty(books, london), await newParty(books, london)];
    const { id } = await createDocument(books, documentOf(booked, '10'));
    await issueDocument(books, { id }, issuing);
    await books.require(keepBooks).write(async (tx) => eraseParties(tx, { partyIds: [booked, fresh] }, 'requested'));
    for (const one of [booked, fresh]) {
      const { address, vatNumber } = await getParty(books, { id: one });
      assert.deepEqual([address, vatNumber], [null, null]);
    }
    assert.deepEqual((await shownOf(books, id)).buyer, { name: 'Ada Lovelace', ...london });
  });

  test('what was issued is not rewritten by the application’s own login, nor issued with other details', async () => {
    const books = await world.tenant();
    await updateSeller(books, helsinki);
    const ada = await newParty(books, london);
    const draft = await createDocument(books, documentOf(ada, '10'));
    const { id } = await createDocument(books, documentOf(ada, '10'));
    await issueDocument(books, { id }, issuing);
    const attempt = async (set: string, of: string): Promise<string> =>
      refusal(
        books.require(keepBooks).write(async (tx) => {
          await tx.query(statement(`update accounting.document set ${set} where document_id = $1::uuid`, [of]));
        }),
      );
    for (const set of [
      `seller_name = 'Mallory'`,
      `buyer_name = 'Mallory'`,
      `buyer_address = 'x'`,
      `seller_payment_details = 'IBAN of Mallory'`,
      `seller_language = 'ja'`,
      `buyer_vat_number = null`,
    ]) {
      assert.equal(await attempt(set, id), '42501', set);
    }
    assert.equal(await attempt(`seller_name = 'Early'`, draft.id), '42501');
    assert.equal(await attempt(`seller_address = 'x'`, draft.id), '42501');
  });
});
