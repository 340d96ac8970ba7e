import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql, type TenantContext } from '@steward/sql';
import { createParty } from '../parties/create.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordPayment } from '../payments/record.ts';
import { voidPayment } from '../payments/void.ts';
import { thresholdOf } from './box.ts';
import { readW9, revealTin } from './read-w9.ts';
import { recordW9 } from './record-w9.ts';
import { summary1099 } from './summary.ts';
import { openTin, readTin } from './tin.ts';

const secret = randomBytes(32);

test('a taxpayer’s number has nine digits that could have been issued', () => {
  for (const [text, kind, digits] of [
    ['123-45-6789', 'ssn', '123456789'],
    ['912-70-1234', 'ssn', '912701234'],
    ['12-3456789', 'ein', '123456789'],
    ['123456789', 'ein', '123456789'],
  ] as const)
    assert.equal(readTin(text, kind), digits);
  for (const [text, kind] of [
    ['000-12-3456', 'ssn'],
    ['666-12-3456', 'ssn'],
    ['123-00-4567', 'ssn'],
    ['123-45-0000', 'ssn'],
    ['12345678', 'ssn'],
    ['00-1234567', 'ein'],
    ['123-45-6789', 'ein'],
  ] as const)
    assert.equal(readTin(text, kind), undefined, text);
});

test('a number that an earlier version sealed opens, and for no other party', () => {
  const [tenant, party] = ['01980a4e-7d00-7000-8000-000000000001', '01980a4e-7d00-7000-8000-000000000002'];
  const kept = Buffer.from('19d5409a13d26a65abd925c7b38862a777a429c87be6a49110a1244db9027e5eef20ccb78f', 'hex');
  assert.equal(openTin(Buffer.alloc(32, 7), tenant, party, kept), '123456789');
  assert.throws(() => openTin(Buffer.alloc(32, 7), tenant, tenant, kept), /does not open/);
});

test('thresholds are those of the tax year', () => {
  assert.equal(thresholdOf(2025, 'nec_1'), 60_000n);
  assert.equal(thresholdOf(2026, 'nec_1'), 200_000n);
  assert.equal(thresholdOf(2026, 'misc_2'), 1_000n);
});

describe('tax forms', () => {
  let world: World;
  let books: TenantContext;
  before(async () => {
    world = await createWorld();
    books = await world.tenant({ currency: 'USD', members: { alice: 'owner', vera: 'viewer' } });
  });
  after(async () => world[Symbol.asyncDispose]());

  const supplier = async (name: string): Promise<string> => (await createParty(books, { name, supplier: true })).id;
  const pay = async (partyId: string, amount: string, date: string, method?: 'card' | 'check') =>
    recordPayment(books, { direction: 'made', partyId, account: '1000', date, currency: 'USD', amount, method });

  test('a taxpayer’s number is sealed, shown by four digits, and revealed to the audit log', async () => {
    const partyId = await supplier('Sealed LLC');
    const kept = await recordW9(
      books,
      {
        partyId,
        status: 'received',
        legalName: 'Sealed',
        tin: { kind: 'ein', number: '12-3456789' },
      },
      { secret },
    );
    assert.deepEqual([kept.tinKind, kept.tinLast4, kept.status], ['ein', '6789', 'received']);
    await recordW9(books, { partyId, status: 'tin_matched' }, { secret });
    assert.deepEqual(
      [(await readW9(books, { partyId })).tinLast4, (await readW9(books, { partyId })).status],
      ['6789', 'tin_matched'],
    );
    const dump = await world.admin.query<{ row: string }>(sql`
      select t::text || encode(tin_sealed, 'escape') as row from accounting.taxpayer t union all select event from audit.event
      union all select data from bus.outbox`);
    assert.ok(dump.every(({ row }) => !row.includes('123456789') && !row.includes('12-3456789')));
    assert.equal(await revealTin(books, secret, partyId), '123456789');
    const [revealed] = await world.admin.query<{ n: bigint }>(sql`
      select count(*) as n from audit.event where tenant_id = ${books.tenant}::uuid and type = 'accounting.tin.revealed'`);
    assert.equal(revealed?.n, 1n);
    await assert.rejects(revealTin(books, randomBytes(32), partyId));
  });

  test('a number moved to another supplier does not open', async () => {
    const [one, two] = [await supplier('One'), await supplier('Two')];
    for (const partyId of [one, two])
      await recordW9(books, { partyId, status: 'received', tin: { kind: 'ssn', number: '123-45-6789' } }, { secret });
    await world.admin.query(sql`
      update accounting.taxpayer set tin_sealed = (select tin_sealed from accounting.taxpayer where party_id = ${one}::uuid)
      where party_id = ${two}::uuid`);
    await assert.rejects(revealTin(books, secret, two));
    assert.equal(await revealTin(books, secret, one), '123456789');
  });

  test('a year’s summary counts what was paid, without cards, voided payments and corporations', async () => {
    const fresh = await world.tenant({ currency: 'USD' });
    const party = async (name: string): Promise<string> => (await createParty(fresh, { name, supplier: true })).id;
    const paid = async (partyId: string, amount: string, date: string, method?: 'card') =>
      recordPayment(fresh, { direction: 'made', partyId, account: '1000', date, currency: 'USD', amount, method });
    const [designer, landlord, corporation, small] = [
      await party('Designer'),
      await party('Landlord'),
      await party('Corp'),
      await party('Small'),
    ];
    await recordW9(
      fresh,
      {
        partyId: designer,
        status: 'received',
        classification: 'individual',
        tin: { kind: 'ssn', number: '123-45-6789' },
      },
      { secret },
    );
    await recordW9(fresh, { partyId: landlord, status: 'requested', box: 'misc_1' }, { secret });
    await recordW9(fresh, { partyId: corporation, status: 'received', classification: 'c_corporation' }, { secret });
    await paid(designer, '1500.00', '2026-01-01');
    await paid(designer, '499.99', '2026-12-31');
    await paid(designer, '9000.00', '2026-05-05', 'card');
    await paid(designer, '700.00', '2025-12-31');
    const wrong = await paid(landlord, '5000.00', '2026-03-01');
    await voidPayment(fresh, { id: wrong.payment.id, date: '2026-03-02' });
    await paid(landlord, '2000.00', '2026-04-01');
    await paid(corporation, '9999.00', '2026-04-01');
    await paid(small, '10.00', '2026-04-01');
    await recordPayment(fresh, {
      direction: 'received',
      refund: true,
      partyId: landlord,
      account: '1000',
      date: '2026-04-05',
      currency: 'USD',
      amount: '1.00',
    });
    const shown = (await summary1099(fresh, { year: 2026 })).suppliers.map(
      ({ name, paid: sum, excluded, reportable, missing }) => [name, sum.amount, excluded.amount, reportable, missing],
    );
    assert.deepEqual(shown, [
      ['Designer', '1999.99', '9000.00', false, []],
      ['Landlord', '1999.00', '0.00', false, ['w9', 'tin']],
      ['Small', '10.00', '0.00', false, ['w9', 'tin']],
    ]);
    const [before2026] = (await summary1099(fresh, { year: 2025 })).suppliers;
    assert.deepEqual([before2026?.paid.amount, before2026?.reportable], ['700.00', true]);
  });

  test('is refused for books in another currency, for what is no supplier, and for those who only look', async () => {
    assert.equal(await refusal(summary1099(await world.tenant(), { year: 2026 })), 'books_not_usd');
    const customer = (await createParty(books, { name: 'Customer', customer: true })).id;
    assert.equal(
      await refusal(recordW9(books, { partyId: customer, status: 'requested' }, { secret })),
      'not_matching',
    );
    const partyId = await supplier('Bad number');
    assert.equal(
      await refusal(
        recordW9(books, { partyId, status: 'received', tin: { kind: 'ssn', number: '12-34' } }, { secret }),
      ),
      'invalid_tin',
    );
    await recordW9(books, { partyId, status: 'received', tin: { kind: 'ssn', number: '123-45-6789' } }, { secret });
    const viewer = world.as(books.tenant, 'vera');
    assert.equal(await refusal(revealTin(viewer, secret, partyId)), 'insufficient_role');
    assert.equal(await refusal(readW9(await world.tenant(), { partyId })), 'not_found');
    await pay(partyId, '1.00', '2026-01-01', 'check');
  });
});
