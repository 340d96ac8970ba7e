import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { createDocument } from '../documents/create.ts';
import { issueDocument } from '../documents/issue.ts';
import { documentOf, issued } from '../fixtures/documents.ts';
import { keepBooks } from '../permissions.ts';
import { eraseParties } from './erase.ts';
import { listParties } from './list.ts';
import { updateParty } from './update.ts';
import { createParty } from './create.ts';
import { activeParty } from './party.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';

describe('a customer or supplier', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is found by name, and told from the log by its id alone', async () => {
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
      select count(*) as n from audit.event e where tenant_id = ${books.tenant}::uuid and e::text ~* 'lovelace|ada@|"6789"'`);
    assert.equal(told?.n, 0n);
  });

  test('that is erased keeps its name where something is booked, also where that is being booked at the moment', async () => {
    const books = await world.tenant();
    const contactId = newId();
    const hold = async (): Promise<string> => contactId;
    const party = async (name: string): Promise<string> =>
      (await createParty(books, { name, email: 'ada@example.com', taxIdLast4: '6789', contactId }, { hold })).id;
    const [billed, drafted, waiting] = [await party('Billed'), await party('Drafted'), await party('Waiting')];
    await issued(books, billed, '100');
    const { id: draft } = await createDocument(books, documentOf(drafted, '100'));
    const erase = async (tx: TenantTransaction): Promise<unknown> =>
      (await eraseParties(tx, { contactIds: [contactId] }, 'requested')).parties;
    await books.require(keepBooks).write(async (tx) => {
      await activeParty(tx, waiting);
      await assert.rejects(
        books.require(keepBooks).write(async (other) => {
          await other.query(sql`set local lock_timeout = '50ms'`);
          await erase(other);
        }),
        ({ cause }: Error) => (cause as { code?: string }).code === '55P03',
      );
    });
    assert.deepEqual(await books.require(keepBooks).write(erase), [
      { partyId: billed, nameKept: true },
      { partyId: drafted, nameKept: false },
      { partyId: waiting, nameKept: false },
    ]);
    const { items } = await listParties(books, { archived: true }, { limit: 9 });
    assert.deepEqual(
      items.map(({ name, email, taxIdLast4, archived, contactId: link }) => [name, email, taxIdLast4, archived, link]),
      [
        ['Billed', null, '6789', false, null],
        ['Erased', null, null, true, null],
        ['Erased', null, null, true, null],
      ],
    );
    assert.equal(await refusal(issueDocument(books, { id: draft })), 'party_archived');
  });
});
