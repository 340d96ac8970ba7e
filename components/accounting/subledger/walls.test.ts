import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { attack, rawEntry, type RawEntry } from '../fixtures/attack.ts';
import { documentOf, even, issued, issuing, newParty, paid } from '../fixtures/documents.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { allocateCredit } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { createDocument } from '../documents/create.ts';
import { issueDocument } from '../documents/issue.ts';
import { voidDocument } from '../documents/void.ts';
import { closeMonth } from '../periods/close.ts';
import { setRate } from '../rates/set.ts';
import { createTax } from '../taxes/create.ts';
import { revalue } from './revalue.ts';

// Each attack is a transaction that would stand, changed in one thing. That the plain one stands is asserted beside it.
describe('the sub-ledger against the application’s own login', () => {
  let world: World;
  let books: TenantContext;
  let ada: string;
  let grace: string;
  let code: Record<string, string>;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  beforeEach(async () => {
    books = await world.tenant();
    [ada, grace] = [await newParty(books), await newParty(books, { name: 'Grace Hopper' })];
    code = Object.fromEntries(
      (
        await world.admin.query<{ code: string; account_id: string }>(sql`
          select code, account_id from accounting.account where tenant_id = ${books.tenant}::uuid`)
      ).map((row) => [row.code, row.account_id]),
    );
  });

  const attempt = async (...statements: readonly string[]) => attack(world, books.tenant, statements);
  const refused = async (what: string, ...statements: readonly string[]): Promise<void> => {
    assert.equal(await attempt(...statements), '42501', what);
  };
  const stands = async (what: string, ...statements: readonly string[]): Promise<void> => {
    assert.equal(await attempt(...statements), undefined, what);
    await even(books, '2026-12-31');
  };
  const between = (debit: string, credit: string, amount: string, base?: string): RawEntry['postings'][number] => [
    code[debit] ?? '',
    code[credit] ?? '',
    amount,
    base ?? amount,
  ];

  test('writes no item, no number and no revaluation but through what they belong to', async () => {
    await issued(books, ada, '10');
    for (const text of [
      'update accounting.item set open_amount = 0, open_base = 0',
      'update accounting.item set moved_on = opened_on',
      'insert into accounting.item select * from accounting.item',
      'delete from accounting.item',
      'update accounting.series set next = 1',
      `insert into accounting.series values ('${books.tenant}', 'payment', 7)`,
      `insert into accounting.revaluation select '${books.tenant}', '${newId()}', '2026-03-31', entry_id, entry_id from accounting.entry`,
      `insert into accounting.revaluation_item select '${books.tenant}', '${newId()}', item_id, 1 from accounting.item`,
      `select accounting.void_item('${books.tenant}', item_id, item_id) from accounting.item`,
    ])
      await refused(text, text);
  });

  test('lets nothing move a control account that no document, payment or allocation is named for', async () => {
    const { id } = await createDocument(books, documentOf(ada, '10'));
    for (const kind of ['invoice', 'credit_note', 'bill', 'supplier_credit', 'payment', 'exchange', 'revaluation'])
      for (const source of [undefined, id]) {
        const entry = rawEntry({ kind, source, date: '2026-03-02', postings: [between('1100', '4000', '1000')] });
        await refused(`${kind} ${source}`, entry);
        await refused(`${kind} ${source} checked early`, 'set constraints all immediate', entry);
        await refused(`${kind} ${source} checked between`, entry, 'set constraints all immediate');
      }
    const stranger = (await world.tenant()).tenant;
    await refused(
      'checked as somebody else',
      rawEntry({ kind: 'invoice', source: id, date: '2026-03-02', postings: [between('1100', '4000', '1000')] }),
      `set local app.tenant_id = '${stranger}'`,
    );
  });

  test('issues a document by the entry that says what it says, with the next number', async () => {
    const vat = await createTax(books, { name: 'VAT', percentage: '19' });
    const lines = [{ description: 'Work', quantity: '1', unitPrice: '10', account: '4000', taxId: vat.id }];
    const draft = await createDocument(books, documentOf(ada, '10', { lines }));
    await stands('an entry by hand', rawEntry({ kind: 'journal', postings: [between('1000', '4000', '1190')] }));
    const entry: RawEntry = {
      id: newId(),
      kind: 'invoice',
      source: draft.id,
      date: '2026-03-02',
      postings: [between('1100', '4000', '1000'), between('1100', '2200', '190')],
    };
    const issue = (changes: Readonly<Record<string, string | undefined>> = {}): string => {
      const set = { status: `'issued'`, number: '1', rate: '1', base_total: '1190', issued_at: 'now()' };
      const all = Object.entries({ ...set, entry_id: `'${entry.id}'`, ...changes });
      return `update accounting.document set ${all.map(([column, value]) => `${column} = ${value}`).join(', ')}
        where document_id = '${draft.id}'`;
    };
    for (const changes of [
      { postings: [between('1100', '4000', '1190')] },
      { postings: [between('1100', '4010', '1000'), between('1100', '2200', '190')] },
      { postings: [between('1100', '4000', '1001'), between('1100', '2200', '189')] },
      { postings: [between('1100', '4000', '100'), between('1100', '2200', '19')] },
      { postings: [between('1000', '4000', '1000'), between('1000', '2200', '190')] },
      { postings: [between('2000', '4000', '1000'), between('2000', '2200', '190')] },
      { postings: [between('4000', '1100', '1000'), between('2200', '1100', '190')] },
      { postings: [...entry.postings, between('1100', '2000', '50')] },
      { postings: [...entry.postings, between('6100', '1000', '50')] },
      { date: '2026-03-03' },
      { kind: 'bill' },
      { source: undefined },
    ] satisfies Partial<RawEntry>[])
      await refused(JSON.stringify(changes), rawEntry({ ...entry, ...changes }), issue());
    for (const changes of [
      { number: '2' },
      { number: 'null' },
      { base_total: '1189' },
      { net: '1100', total: '1290' },
      { party_id: `'${grace}'` },
      { due_date: `'2027-01-01'` },
      { kind: `'bill'` },
      { entry_id: 'null' },
      { entry_id: `(select entry_id from accounting.entry where kind = 'journal')` },
    ])
      await refused(JSON.stringify(changes), rawEntry(entry), issue(changes));
    await refused('issued by nothing', issue());
    await refused(
      'voided again, while the entry stays',
      rawEntry(entry),
      issue(),
      `update accounting.document set status = 'void'`,
    );
    await refused(
      'a document that begins as issued',
      `insert into accounting.document select (jsonb_populate_record(d, '{"document_id": "${newId()}", "status": "issued"}')).* from accounting.document d`,
    );
    await stands('as it is', rawEntry(entry), issue());
    await refused('the same entry twice', rawEntry({ ...entry, id: newId() }));
    for (const change of [
      `status = 'draft'`,
      `status = 'draft', number = null, rate = null, base_total = null, entry_id = null, issued_at = null`,
      `status = 'void'`,
      'number = 7',
      `party_id = '${grace}'`,
      `notes = 'x'`,
    ])
      await refused(change, `update accounting.document set ${change}`);
    const mirror = rawEntry({
      kind: 'reversal',
      reverses: entry.id,
      source: draft.id,
      date: '2026-03-09',
      postings: entry.postings.map(([debit, credit, amount]) => [credit, debit, amount]),
    });
    await refused('undone in the ledger only', mirror);
    await stands('undone in both', mirror, `update accounting.document set status = 'void'`);
    for (const status of ['draft', 'issued'])
      await refused(`from void to ${status}`, `update accounting.document set status = '${status}'`);
  });

  test('burns no number that is asked for and not used', async () => {
    await stands('asked for', `select accounting.next_number('invoice'), accounting.next_number('invoice')`);
    assert.equal((await issued(books, ada, '10')).number, 'INV-00001');
    assert.equal(await attempt(`select accounting.next_number('journal')`), '22023');
  });

  test('records a payment as its entry says, and voids it with the mirror of that', async () => {
    const id = newId();
    const entry: RawEntry = {
      id: newId(),
      kind: 'payment',
      source: id,
      date: '2026-03-10',
      postings: [between('1000', '1100', '500')],
    };
    const row = {
      tenant_id: `'${books.tenant}'`,
      payment_id: `'${id}'`,
      number: '1',
      direction: `'received'`,
      party_id: `'${ada}'`,
      account_id: `'${code['1000']}'`,
      date: `'2026-03-10'`,
      currency: `'EUR'`,
      amount: '500',
      rate: '1',
      base_amount: '500',
      entry_id: `'${entry.id}'`,
    };
    const insert = (changes: Readonly<Record<string, string | undefined>> = {}): string => {
      const all = { ...row, ...changes };
      return `insert into accounting.payment (${Object.keys(all).join(', ')}) values (${Object.values(all).join(', ')})`;
    };
    for (const changes of [
      { postings: [between('1000', '1100', '501')] },
      { postings: [between('1000', '1100', '250'), between('1000', '1100', '250')] },
      { postings: [between('1100', '1000', '500')] },
      { postings: [between('1000', '4000', '500')] },
      { postings: [between('2000', '1100', '500')] },
      { postings: [between('1050', '1100', '500')] },
      { kind: 'journal', postings: [between('1000', '4000', '500')] },
      { source: newId() },
      { date: '2026-03-11' },
    ] satisfies Partial<RawEntry>[])
      await refused(JSON.stringify(changes), rawEntry({ ...entry, ...changes }), insert());
    for (const changes of [
      { direction: `'made'` },
      { amount: '499' },
      { base_amount: '499' },
      { rate: '2' },
      { currency: `'USD'` },
      { number: '2' },
      { void_on: `'2026-03-10'` },
      { account_id: `'${code['1050']}'` },
    ])
      await refused(JSON.stringify(changes), rawEntry(entry), insert(changes));
    const [other] = await world.admin.query<{ party_id: string }>(sql`
      insert into accounting.party (tenant_id, party_id, name, customer, supplier, currency, terms_days)
      values (${(await world.tenant()).tenant}::uuid, ${newId()}::uuid, 'x', true, true, 'EUR', 0) returning party_id`);
    assert.equal(await attempt(rawEntry(entry), insert({ party_id: `'${other?.party_id}'` })), '23503');
    await stands('as it is', rawEntry(entry), insert());
    const mirror = rawEntry({
      kind: 'reversal',
      reverses: entry.id,
      source: id,
      date: '2026-03-12',
      postings: [between('1100', '1000', '500')],
    });
    const bounce = (day: string): string => `update accounting.payment set void_on = '${day}'`;
    await refused('void without a mirror', bounce('2026-03-12'));
    await refused('a mirror without void', mirror);
    await refused('on another day', mirror, bounce('2026-03-13'));
    await stands('both', mirror, bounce('2026-03-12'));
    await refused('twice', bounce('2026-03-12'));
  });

  test('allocates what is open of one party’s credit to its charge, and no more, and takes back what was', async () => {
    const invoice = await issued(books, ada, '10');
    const payment = await paid(books, ada, '6.00');
    const elsewhere = await issued(books, grace, '10');
    const bill = await issued(books, ada, '10', { kind: 'bill' });
    const row = {
      tenant_id: `'${books.tenant}'`,
      allocation_id: `'${newId()}'`,
      credit_id: `'${payment.id}'`,
      charge_id: `'${invoice.id}'`,
      date: `'2026-03-10'`,
      amount: '600',
      credit_base: '600',
      charge_base: '600',
    };
    const insert = (changes: Readonly<Record<string, string | undefined>> = {}): string => {
      const all = { ...row, ...changes };
      return `insert into accounting.allocation (${Object.keys(all).join(', ')}) values (${Object.values(all).join(', ')})`;
    };
    for (const changes of [
      { amount: '601', credit_base: '601', charge_base: '601' },
      { amount: '500' },
      { credit_base: '500', charge_base: '500' },
      { credit_base: '0', charge_base: '0' },
      { charge_id: `'${elsewhere.id}'` },
      { charge_id: `'${bill.id}'` },
      { charge_id: `'${payment.id}'` },
      { charge_id: `'${payment.id}'`, credit_id: `'${invoice.id}'` },
      { date: `'2026-03-09'` },
      { undone_on: `'2026-03-10'` },
    ])
      await refused(JSON.stringify(changes), insert(changes));
    await closeMonth(books, { month: '2026-03-01' });
    assert.equal(await attempt(insert()), 'AC001');
    await stands('in an open month', insert({ date: `'2026-04-01'` }));
    await refused('more than is left', insert({ allocation_id: `'${newId()}'`, date: `'2026-04-02'` }));
    await refused('taken back before it was made', `update accounting.allocation set undone_on = '2026-03-31'`);
    await refused('taken back to no day', 'update accounting.allocation set undone_on = null');
    await stands('taken back', `update accounting.allocation set undone_on = '2026-04-02'`);
    await refused('twice', `update accounting.allocation set undone_on = '2026-04-03'`);
  });

  test('posts the exchange difference of an allocation, all of it and nothing else, and undoes it with it', async () => {
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.9' });
    await setRate(books, { currency: 'USD', day: '2026-03-10', rate: '1.1' });
    const invoice = await issued(books, ada, '10', { currency: 'USD' });
    const payment = await paid(books, ada, '10.00', {}, { currency: 'USD' });
    const id = newId();
    const entry: RawEntry = {
      id: newId(),
      kind: 'exchange',
      source: id,
      date: '2026-03-10',
      postings: [between('1100', '4950', '200')],
    };
    const insert = (entryId: string | undefined = entry.id, chargeBase = '900'): string => `
      insert into accounting.allocation (tenant_id, allocation_id, credit_id, charge_id, date, amount, credit_base, charge_base, entry_id)
      values ('${books.tenant}', '${id}', '${payment.id}', '${invoice.id}', '2026-03-10', 1000, 1100, ${chargeBase}, '${entryId}')`;
    for (const changes of [
      { postings: [between('1100', '4950', '199')] },
      { postings: [between('4950', '1100', '200')] },
      { postings: [between('1100', '4000', '200')] },
      { postings: [between('2000', '4950', '200')] },
      { postings: [between('1100', '4950', '200'), between('6100', '1000', '5')] },
      { date: '2026-03-11' },
      { source: newId() },
    ] satisfies Partial<RawEntry>[])
      await refused(JSON.stringify(changes), rawEntry({ ...entry, ...changes }), insert());
    await refused('an entry that is there', insert(payment.entryId));
    await refused('no difference', rawEntry(entry), insert(entry.id, '901'));
    await stands('as it is', rawEntry(entry), insert());
    const mirror = rawEntry({
      kind: 'reversal',
      reverses: entry.id,
      source: id,
      date: '2026-03-11',
      postings: [between('4950', '1100', '200')],
    });
    const undo = `update accounting.allocation set undone_on = '2026-03-11'`;
    await refused('taken back without its difference', undo);
    await refused('a difference undone by itself', mirror);
    await stands('both', mirror, undo);
  });

  test('revalues by what the entry says', async () => {
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.9' });
    const invoice = await issued(books, ada, '10', { currency: 'USD' });
    const id = newId();
    const [there, back] = [newId(), newId()];
    const day = '2026-03-31';
    const entry = (changes: Partial<RawEntry> = {}): string =>
      rawEntry({
        id: there,
        kind: 'revaluation',
        source: id,
        date: day,
        postings: [between('1100', '4950', '200')],
        ...changes,
      });
    const mirror = (changes: Partial<RawEntry> = {}): string =>
      rawEntry({
        id: back,
        kind: 'reversal',
        reverses: there,
        source: id,
        date: '2026-04-01',
        postings: [between('4950', '1100', '200')],
        ...changes,
      });
    const say = (items: string, on = day): string =>
      `select accounting.revalue_items('${id}', '${on}', '${there}', '${back}', array['${invoice.id}']::uuid[], array[${items}]::bigint[])`;
    await refused('less', entry(), mirror(), say('199'));
    await refused('the other way', entry(), mirror(), say('-200'));
    await refused('another day', entry(), mirror(), say('200', '2026-03-30'));
    await refused('not the day after', entry(), mirror({ date: '2026-04-02' }), say('200'));
    await refused(
      'of the other side',
      entry({ postings: [between('2000', '4950', '200')] }),
      mirror({ postings: [between('4950', '2000', '200')] }),
      say('200'),
    );
    await refused('said by nobody', entry(), mirror());
    await refused(
      'before the invoice',
      entry({ date: '2026-02-28' }),
      mirror({ date: '2026-03-01' }),
      say('200', '2026-02-28'),
    );
    await stands('as it is', entry(), mirror(), say('200'));
    assert.equal((await even(books, day)).open.receivable, 1_100n);
    assert.equal((await even(books, '2026-04-01')).open.receivable, 900n);
  });

  test('lets the verbs through, in every combination of sides and natures', async () => {
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.9' });
    for (const kind of ['invoice', 'credit_note', 'bill', 'supplier_credit'] as const) {
      const one = await issued(books, ada, '10', { kind, currency: 'USD' });
      const received = kind === 'invoice' || kind === 'supplier_credit';
      const payment = await paid(
        books,
        ada,
        '4.00',
        {},
        {
          currency: 'USD',
          rate: '0.8',
          direction: received ? 'received' : 'made',
          refund: kind === 'credit_note' || kind === 'supplier_credit',
        },
      );
      const [credit, charge] = kind === 'invoice' || kind === 'bill' ? [payment.id, one.id] : [one.id, payment.id];
      const { allocations } = await allocateCredit(books, {
        creditId: credit,
        date: '2026-03-12',
        allocations: [{ itemId: charge, amount: '3.33' }],
      });
      await even(books, '2026-12-31');
      await revalue(books, { day: '2026-03-31' });
      await even(books, '2026-03-31');
      await undoAllocation(books, { id: allocations[0]?.id ?? '' });
      await voidDocument(books, { id: one.id });
      await even(books, '2026-12-31');
    }
  });

  test('counts a line that arrives while the document is issued', async () => {
    for (let round = 0; round < 4; round += 1) {
      const draft = await createDocument(books, documentOf(ada, '10'));
      const line = `insert into accounting.document_line (tenant_id, document_id, line, description, quantity, unit_price, account_id, net, tax)
        values ('${books.tenant}', '${draft.id}', 9, 'late', 1, 1, '${code['4000']}', 100, 0)`;
      await Promise.allSettled([attempt(line), issueDocument(books, { id: draft.id }, issuing), attempt(line)]);
      const [odd] = await world.admin.query<{ odd: bigint }>(sql`
        select count(*) as odd from accounting.document d where d.tenant_id = ${books.tenant}::uuid and d.status = 'issued'
          and d.net <> (select sum(l.net) from accounting.document_line l where l.tenant_id = d.tenant_id and l.document_id = d.document_id)`);
      assert.equal(odd?.odd, 0n);
    }
  });
});
