import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { tablesWith } from '@steward/testing';
import { attach, type NewAttachment } from '../attachments/attach.ts';
import { readAttachment } from '../attachments/read.ts';
import { removeAttachment } from '../attachments/remove.ts';
import { createDocument } from '../documents/create.ts';
import { getDocument } from '../documents/get.ts';
import { issueDocument } from '../documents/issue.ts';
import { voidDocument } from '../documents/void.ts';
import { documentOf, issued, issuing } from '../fixtures/documents.ts';
import { accountingNouns } from '../nouns.ts';
import { keepBooks } from '../permissions.ts';
import { eraseParties } from './erase.ts';
import { listParties } from './list.ts';
import { updateParty } from './update.ts';
import { createParty } from './create.ts';
import { activeParty } from './party.ts';
import { partyTools } from './tools.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';

const party = accountingNouns.find(({ noun }) => noun === 'customer or supplier') ?? assert.fail();

describe('a customer or supplier', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('that is there already is told to whoever adds it again, by what it is known by, and is added all the same', async () => {
    const books = await world.tenant();
    const known = { name: 'Ada Lovelace', email: 'ada@example.com', taxIdLast4: '6789' };
    const first = await createParty(books, known);
    assert.deepEqual(first.similar, []);
    const by = async (given: object): Promise<unknown> => {
      const { similar } = await createParty(books, { name: newId(), ...given });
      return similar.map(({ id, by: of }) => [id === first.id, ...of]);
    };
    assert.deepEqual(await by({}), []);
    assert.deepEqual(await by({ email: 'ADA@example.com' }), [[true, 'e-mail address']]);
    assert.deepEqual(await by({ taxIdLast4: '6789' }), [[true, 'last four characters of the taxpayer id']]);
    await updateParty(books, { id: first.id, archived: true });
    assert.deepEqual(await by({ name: ' ada LOVELACE' }), [[true, 'name']]);
    const again = await createParty(books, known);
    assert.deepEqual(again.similar[0], {
      id: first.id,
      name: 'Ada Lovelace',
      archived: true,
      by: ['name', 'e-mail address', 'last four characters of the taxpayer id'],
    });
    assert.equal(again.similar.length, 3, 'three are enough to look at');
    assert.deepEqual((await createParty(await world.tenant(), known)).similar, [], 'another tenant’s are not there');
  });

  test('that reads like one that is there is told to whoever adds it, and to whoever decides about either', async () => {
    const books = await world.tenant();
    const alike = {
      'Jäger & Söhne GmbH': ['JAEGER + SOEHNE UG (haftungsbeschränkt)', 'Jager Sohne', 'J\u0430ger & S\u043ehne Ltd.'],
      'Bill Corner': ['BiII Corner', 'BILL\u00a0CORNER', 'Bi1l Comer', 'Ｂｉｌｌ　Ｃｏｒｎｅｒ'],
      'ООО Ромашка': ['000 Ромашка', 'ooo ромашка'],
      株式会社みどり: ['みどり株式会社', 'みどり'],
    };
    for (const [name, others] of Object.entries(alike)) {
      const first = await createParty(books, { name });
      const added = [];
      for (const other of others) {
        const { similar, id } = await createParty(books, { name: other });
        assert.deepEqual(similar[0]?.by, ['name but for how it is written'], `${other} reads like ${name}`);
        added.push({ id, name: other });
      }
      const told = async (id: string): Promise<unknown> => {
        const [row] = await books
          .require(keepBooks)
          .write(async (tx) =>
            tx.query<{ told: unknown }>(
              statement(
                `select (${party.also?.['others_named_alike']}) as told from accounting.party t where t.party_id = $1`,
                [id],
              ),
            ),
          );
        return row?.told;
      };
      assert.deepEqual(await told(first.id), others.slice(0, 3));
      assert.deepEqual(await told(added[0]?.id ?? ''), [name, ...others.slice(1, 3)]);
    }
    for (const name of ['Bill Comet', 'Jäger', 'AG', '???', '!!!', 'みどりや'])
      assert.deepEqual((await createParty(books, { name })).similar, [], `${name} is somebody else`);
  });

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
    const found = await listParties(books, { name: 'LOVE', role: 'supplier', archived: false, limit: 1 });
    assert.deepEqual([found.items.map(({ id }) => id), found.nextCursor], [[made.id], null]);
    await updateParty(books, { id: made.id, email: null, archived: true });
    assert.deepEqual((await listParties(books, { role: 'supplier', archived: false, limit: 9 })).items, []);
    assert.equal((await listParties(books, { archived: true, limit: 9 })).items.length, 2);
    assert.equal((await updateParty(books, { id: made.id, archived: false })).email, null);
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

  test('that is erased takes along what was never issued, with its files, but not what others have attached', async () => {
    const books = await world.tenant();
    const [contactId, marker] = [newId(), `dx${newId().slice(-8)}`];
    const party = async (name: string): Promise<string> =>
      (await createParty(books, { name, contactId }, { contacts: { hold: async () => contactId } })).id;
    const [drafted, billed] = [await party('Drafted'), await party('Billed')];
    const said = {
      reference: marker,
      notes: `For ${marker}`,
      lines: [{ description: marker, quantity: '1', unitPrice: '1', account: '4000' }],
    };
    const { id: draft } = await createDocument(books, documentOf(drafted, '1', said));
    const { id: discarded } = await createDocument(books, documentOf(drafted, '1', said));
    await voidDocument(books, { id: discarded });
    const { id: bill } = await issued(books, billed, '100');
    const { id: further } = await createDocument(books, documentOf(billed, '1', said));
    const file = (targetId: string, content: string): NewAttachment => ({
      targetKind: 'document',
      targetId,
      fileName: 'note.txt',
      mediaType: 'text/plain',
      content: Buffer.from(content),
    });
    await attach(books, { ...file(draft, marker), fileName: `${marker}.txt` });
    await removeAttachment(books, { attachmentId: (await attach(books, file(discarded, `Of ${marker}`))).id });
    await attach(books, file(draft, 'Shared'));
    const kept = await attach(books, file(bill, 'Shared'));
    assert.deepEqual(await tablesWith(world.admin, marker), [
      'accounting.attachment',
      'accounting.blob',
      'accounting.document',
      'accounting.document_line',
    ]);
    const erased = await books
      .require(keepBooks)
      .write(async (tx) => eraseParties(tx, { contactIds: [contactId] }, 'requested'));
    assert.deepEqual(erased.ids, [drafted, draft, discarded, further]);
    assert.deepEqual(await tablesWith(world.admin, marker), []);
    assert.equal((await readAttachment(books, kept.id)).content.toString(), 'Shared');
    assert.equal((await getDocument(books, { id: bill })).status, 'issued');
    const [event] = await world.admin.query<{ event: string }>(sql`
      select event from audit.event where tenant_id = ${books.tenant}::uuid and type = 'accounting.document.erased'`);
    assert.deepEqual((JSON.parse(event?.event ?? '{}') as { payload: unknown }).payload, {
      document_ids: [draft, discarded, further],
      reason: 'requested',
    });
    const erase = sql`select accounting.erase_unissued(array[${bill}]::uuid[])`;
    await books.require(keepBooks).write(async (tx) => tx.query(erase));
    assert.equal((await getDocument(books, { id: bill })).status, 'issued', 'what was issued stays, whoever asks');
  });

  test('that is erased keeps its name where something is booked, also where that is being booked at the moment', async () => {
    const books = await world.tenant();
    const contactId = newId();
    const hold = async (): Promise<string> => contactId;
    const party = async (name: string): Promise<string> =>
      (
        await createParty(
          books,
          { name, email: 'ada@example.com', taxIdLast4: '6789', contactId },
          { contacts: { hold } },
        )
      ).id;
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
    const { items } = await listParties(books, { archived: true, limit: 9 });
    assert.deepEqual(
      items.map(({ name, email, taxIdLast4, archived, contactId: link }) => [name, email, taxIdLast4, archived, link]),
      [
        ['Billed', null, '6789', false, null],
        ['Erased', null, null, true, null],
        ['Erased', null, null, true, null],
      ],
    );
    assert.equal(await refusal(issueDocument(books, { id: draft }, issuing)), 'not_found');
  });

  test('is proposed to be changed in words that name what is given of it, and not what that holds', async () => {
    const books = await world.tenant();
    const { id } = await createParty(books, { name: 'Ada Ltd' });
    const change = partyTools.find(({ name }) => name === 'service_update_party');
    const proposed = async (given: object): Promise<unknown> => {
      const call = { context: books, preview: true } as never;
      const answer = await change?.run(call, { partyId: id, ...given }, undefined as never);
      return answer !== undefined && 'summary' in answer ? answer.summary : answer;
    };
    assert.equal(
      await proposed({ address: 'Ring 1\n1010 Wien', vatNumber: 'ATU12345678' }),
      'Would set the address and the VAT number of Ada Ltd.',
    );
    assert.equal(await proposed({ archived: true }), 'Would archive Ada Ltd.');
    assert.equal(
      await proposed({ archived: false, name: 'Acme', email: 'a@acme.example', termsDays: 10 }),
      'Would restore, and set the name, the e-mail address, and the days until payment of Acme.',
    );
  });
});
