import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventsOfRows } from '@steward/verification';
import { sql, statement, type TenantContext } from '@steward/sql';
import { attach, type NewAttachment } from './attachments/attach.ts';
import { removeAttachment } from './attachments/remove.ts';
import { undoAllocation } from './allocations/undo.ts';
import { importStatement } from './bank/import.ts';
import { listLines } from './bank/list-lines.ts';
import { matchLine } from './bank/match.ts';
import { reconcile } from './bank/reconcile.ts';
import { undoReconciliation } from './bank/undo-reconciliation.ts';
import { unmatch } from './bank/unmatch.ts';
import { updateParty } from './parties/update.ts';
import { importChart } from './opening/import-chart.ts';
import { archiveTax } from './taxes/archive.ts';
import { createTax } from './taxes/create.ts';
import { eraseParties } from './parties/erase.ts';
import { createDocument } from './documents/create.ts';
import { voidDocument } from './documents/void.ts';
import { documentOf, issued, newParty, paid } from './fixtures/documents.ts';
import { createWorld, type World } from './fixtures/world.ts';
import { recordEntry } from './journal/record.ts';
import { reverseEntry } from './journal/reverse.ts';
import { keepBooks } from './permissions.ts';
import { voidPayment } from './payments/void.ts';
import { setRate } from './rates/set.ts';
import { recorded } from './recorded.ts';
import { revalue } from './subledger/revalue.ts';
import { recordW9 } from './taxforms/record-w9.ts';

const fileOf = (targetId: string, content: string): NewAttachment => ({
  targetKind: 'document',
  targetId,
  fileName: `${content}.txt`,
  mediaType: 'text/plain',
  content: Buffer.from(content),
});

describe('what was posted, changed by whoever owns the database', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
    await trade(await world.tenant());
    await bank(await world.tenant());
  });
  after(async () => world[Symbol.asyncDispose]());

  const trade = async (books: TenantContext): Promise<void> => {
    const ada = await newParty(books);
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.9' });
    await setRate(books, { currency: 'USD', day: '2026-03-10', rate: '0.95' });
    await createTax(books, { name: 'VAT', percentage: '20' });
    await archiveTax(
      books,
      { taxId: (await createTax(books, { name: 'Old', percentage: '19.5' })).id },
      { zonesTaxedBy: async () => [] },
    );
    await updateParty(books, { id: ada, name: 'Ada & Co', email: 'ada@example.com' });
    await importChart(books, { content: 'code,name,type\n6111,Storage,expense\n6100,Rent of rooms,expense\n' });
    await createDocument(books, documentOf(ada, '5'));
    const eve = await newParty(books);
    const sealing = { secret: Buffer.alloc(32, 1) };
    const tin = { kind: 'ein', number: '12-3456789' } as const;
    for (const partyId of [ada, eve])
      await recordW9(
        books,
        { partyId, status: 'received', legalName: 'Ada', classification: 'individual', tin },
        sealing,
      );
    await recordW9(books, { partyId: ada, status: 'tin_matched' }, sealing);
    const draft = await createDocument(books, documentOf(eve, '6'));
    await attach(books, fileOf(draft.id, 'Kept for Eve'));
    await removeAttachment(books, { attachmentId: (await attach(books, fileOf(draft.id, 'Not kept'))).id });
    await books.require(keepBooks).write(async (tx) => eraseParties(tx, { partyIds: [eve] }, 'requested'));
    await voidDocument(books, { id: (await createDocument(books, documentOf(ada, '7'))).id });
    await voidDocument(books, { id: (await issued(books, ada, '8', { kind: 'credit_note' })).id, date: '2026-03-05' });
    const bill = await issued(books, ada, '400', { kind: 'bill' });
    await attach(books, fileOf(bill.id, 'Bill'));
    await removeAttachment(books, { attachmentId: (await attach(books, fileOf(bill.id, 'Wrong bill'))).id });
    const dollars = await issued(books, ada, '100', { currency: 'USD' });
    await issued(books, ada, '9', { kind: 'supplier_credit', currency: 'USD' });
    await paid(books, ada, '40.00', { [dollars.id]: '40.00' }, { currency: 'USD' });
    await paid(books, ada, '150.00', { [bill.id]: '150.00' }, { direction: 'made', method: 'card' });
    const bounced = await paid(books, ada, '30.00', { [dollars.id]: '30.00' }, { currency: 'USD' });
    const [allocation] = await world.admin.query<{ id: string }>(
      sql`select allocation_id as id from accounting.allocation where credit_id = ${bounced.id}::uuid`,
    );
    await undoAllocation(books, { id: allocation?.id ?? '' });
    await voidPayment(books, { id: bounced.id });
    await revalue(books, { day: '2026-03-31' });
  };

  const bank = async (books: TenantContext): Promise<void> => {
    const line = async (date: string, side: 'debit' | 'credit', amount: string) =>
      recordEntry(books, {
        date,
        currency: 'EUR',
        narration: 'x',
        lines: [
          { account: '1000', [side]: amount },
          { account: '3000', [side === 'debit' ? 'credit' : 'debit']: amount },
        ],
      });
    const [came, went] = [await line('2026-03-10', 'debit', '150.00'), await line('2026-03-11', 'credit', '0.05')];
    const content = 'Date,Amount,Description\n2026-03-10,150.00,Ada\n2026-03-11,-0.05,Fee';
    await importStatement(books, { account: '1000', format: 'csv', content });
    const { items } = await listLines(books, { account: '1000', limit: 9 });
    for (const one of items)
      await matchLine(books, {
        lineId: one.id,
        entries: [{ entryId: one.amount.amount === '150.00' ? came.id : went.id }],
      });
    const agreed = { account: '1000', to: '2026-03-31', opening: '0.00', closing: '149.95' };
    await reconcile(books, agreed);
    await undoReconciliation(books, { account: '1000', reason: 'again' });
    const [match] = await world.admin.query<{ id: string; line: string }>(
      sql`select match_id as id, line_id as line from accounting.bank_match where amount = -5`,
    );
    await unmatch(books, { matchId: match?.id ?? '' });
    await matchLine(books, { lineId: match?.line ?? '', entries: [{ entryId: went.id }] });
    await reconcile(books, agreed);
    const { id } = await line('2026-04-01', 'debit', '1.00');
    await reverseEntry(books, { id, date: '2026-04-01', narration: 'y' });
  };

  /** What verification tells after a change that is taken back again. */
  const told = async (compared: typeof recorded, ...changes: readonly string[]): Promise<string[]> =>
    world.admin.withClient(async (client) => {
      await client.query('begin');
      try {
        for (const change of changes) {
          const { rowCount, command } = await client.query(change);
          assert.ok(command !== 'UPDATE' || rowCount === 1, change);
        }
        await client.query(`set local role ${world.db.name}_job_audit_verifier`);
        const found = await eventsOfRows(compared)({ ownerUrl: world.db.ownerUrl, client, tenant: undefined });
        return found.map(({ detail }) => detail);
      } finally {
        await client.query('rollback');
      }
    });
  /** Nothing of the database stands in the way: neither triggers nor checks. */
  const undress = async (table: string): Promise<string> => {
    const checks = await world.admin.query<{ name: string }>(
      statement(
        `select conname as name from pg_constraint where conrelid = 'accounting.${table}'::regclass and contype = 'c'`,
      ),
    );
    return [
      `alter table accounting.${table} disable trigger all`,
      ...checks.map(({ name }) => `alter table accounting.${table} drop constraint ${name}`),
    ].join('; ');
  };

  test('is told of nothing that was not changed', async () => {
    assert.deepEqual(await told(recorded), []);
  });

  test('is told of charts that were imported at once no more than of others', async () => {
    const books = await world.tenant();
    await Promise.all(
      Array.from({ length: 6 }, async (_one, at) =>
        importChart(books, { content: `code,name,type\n70${at}0,Store ${at},expense\n` }),
      ),
    );
    assert.deepEqual(await told(recorded), []);
  });

  test('is told of files that the application’s login writes past the application, and of those that are gone', async () => {
    const forged = `insert into accounting.blob (tenant_id, sha256, content)
        select tenant_id, encode(sha256('forged'), 'hex'), 'forged' from accounting.attachment where removed_at is null;
      insert into accounting.attachment (tenant_id, attachment_id, target_kind, target_id, file_name, media_type, bytes, sha256)
        select tenant_id, gen_random_uuid(), target_kind, target_id, file_name, media_type, 6, encode(sha256('forged'), 'hex')
        from accounting.attachment where removed_at is null`;
    for (const [change, ...about] of [
      [forged, /^attachment \S+: no event tells of it/],
      [
        `update accounting.attachment set removed_at = clock_timestamp() where removed_at is null`,
        /^standing of attachment \S+: it says removed .*, and the newest event about it attached/,
      ],
      [
        `update accounting.attachment set removed_at = null where removed_at is not null`,
        /^standing of attachment \S+: it says attached, and the newest event about it removed/,
      ],
      [
        `delete from accounting.attachment where removed_at is null`,
        /^attachment \S+: an event tells of it, and it is not there/,
        /^content of file \S+: its attachments make none/,
      ],
      [
        `alter table accounting.blob drop constraint blob_check; update accounting.blob set content = 'x' where sha256 = (
          select sha256 from accounting.attachment where removed_at is null)`,
        /^content of file (\S+): it says [0-9a-f]{64}, and its attachments make \1/,
      ],
    ] as const) {
      const found = await told(recorded, change);
      for (const one of about)
        assert.ok(
          found.some((detail) => one.test(detail)),
          `${change}\n${found.join('\n')}`,
        );
    }
  });

  test('is told where rows agree with each other: a debt made small, or taken back, beside all that follows from it', async () => {
    const bare = (await Promise.all(['item', 'document', 'document_line', 'allocation'].map(undress))).join('; ');
    const debt = `where ctid = (select ctid from accounting.item where kind = 'bill' limit 1)`;
    for (const [change, about] of [
      [
        `update accounting.item set amount = 15000, base_amount = 15000, open_amount = 0, open_base = 0 ${debt}`,
        /^item \S+: it says bill payable/,
      ],
      [`update accounting.item set void_on = moved_on, open_amount = 0, open_base = 0 ${debt}`, /^item \S+: .* void /],
      [`update accounting.item set party_id = gen_random_uuid() ${debt}`, /^item \S+: it says bill payable charge/],
    ] as const) {
      const found = await told(recorded, bare, change);
      assert.ok(
        found.some((detail) => about.test(detail)),
        found.join('\n'),
      );
    }
    const [bill] = await world.admin.query<{ id: string }>(
      sql`select document_id as id from accounting.document where kind = 'bill'`,
    );
    const found = await told(
      recorded,
      bare,
      `update accounting.item set amount = 20000, base_amount = 20000, open_amount = 5000, open_base = 5000 ${debt}`,
      `update accounting.document set net = 20000, total = 20000, base_total = 20000 where document_id = '${bill?.id}'`,
      `update accounting.document_line set net = 20000 where document_id = '${bill?.id}'`,
    );
    for (const about of [
      /^document \S+: it says bill \S+ 20000 EUR, and the newest event about it bill \S+ 40000 EUR/,
      /^document \S+: it says .* 20000 20000, and the postings of its entry make .* 40000 40000/,
      /^contents of document/,
    ])
      assert.ok(
        found.some((detail) => about.test(detail)),
        found.join('\n'),
      );
  });
});
