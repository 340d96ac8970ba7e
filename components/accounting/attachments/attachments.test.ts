import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type TenantContext } from '@steward/sql';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { keepBooks } from '../permissions.ts';
import { attach } from './attach.ts';
import { attachedBytes } from './bytes.ts';
import { listAttachments, readAttachment } from './read.ts';
import { removeAttachment } from './remove.ts';

describe('attachments', () => {
  let world: World;
  let books: TenantContext;
  let entry: string;
  before(async () => {
    world = await createWorld();
    books = await world.tenant({ members: { alice: 'owner', vera: 'viewer' } });
    const posted = await recordEntry(books, {
      date: '2026-03-01',
      currency: 'EUR',
      narration: 'Paper',
      lines: [
        { account: '6300', debit: '5.00' },
        { account: '1000', credit: '5.00' },
      ],
    });
    entry = posted.id;
  });
  after(async () => world[Symbol.asyncDispose]());

  const file = (content: string, fileName = 'receipt.pdf', targetId = entry) =>
    ({ targetKind: 'entry', targetId, fileName, mediaType: 'application/pdf', content: Buffer.from(content) }) as const;

  test('come back as they were, known by their hash, once by each name however often they are attached', async () => {
    const made = await attach(books, file('%PDF-1'));
    const again = await Promise.all(Array.from({ length: 4 }, async () => attach(books, file('%PDF-1'))));
    assert.ok(again.every(({ id }) => id === made.id));
    const renamed = await Promise.all(Array.from({ length: 4 }, async () => attach(books, file('%PDF-1', 'scan.pdf'))));
    assert.deepEqual(new Set(renamed.map(({ id }) => id)).size, 1);
    assert.deepEqual([renamed[0]?.fileName, renamed[0]?.sha256], ['scan.pdf', made.sha256]);
    assert.deepEqual((await listAttachments(books, { targetId: entry })).map(({ fileName }) => fileName).toSorted(), [
      'receipt.pdf',
      'scan.pdf',
    ]);
    await removeAttachment(books, { attachmentId: renamed[0]?.id ?? '' });
    const retyped = await attach(books, { ...file('%PDF-1'), mediaType: 'text/plain' });
    assert.deepEqual([retyped.mediaType, made.mediaType], ['text/plain', 'application/pdf']);
    await removeAttachment(books, { attachmentId: retyped.id });
    const { content, attachment } = await readAttachment(books, made.id);
    assert.deepEqual([content.toString(), attachment.sha256, attachment.bytes], ['%PDF-1', made.sha256, 6]);
    assert.deepEqual(await listAttachments(books, { targetId: entry }), [made]);
    await removeAttachment(books, { attachmentId: made.id });
    assert.deepEqual(await listAttachments(books, { targetId: entry }), []);
    assert.equal(await refusal(readAttachment(books, made.id)), 'not_found');
    assert.notEqual((await attach(books, file('%PDF-1'))).id, made.id);
  });

  test('are counted in bytes as they come and go, so that a quota is told without looking at any', async () => {
    const own = await world.tenant();
    const { id: target } = await recordEntry(own, {
      date: '2026-03-01',
      currency: 'EUR',
      narration: 'Paper',
      lines: [
        { account: '6300', debit: '5.00' },
        { account: '1000', credit: '5.00' },
      ],
    });
    assert.equal(await attachedBytes(own), 0);
    const sizes = [1, 20, 300, 4000];
    const made = await Promise.all(
      sizes.map(async (size) => attach(own, file('x'.repeat(size), `${size}.txt`, target))),
    );
    await attach(own, file('x', '1.txt', target));
    await attach(own, file('x', 'again.txt', target));
    assert.equal(await attachedBytes(own), 4322);
    await removeAttachment(own, { attachmentId: made[2]?.id ?? '' });
    assert.equal(await refusal(removeAttachment(own, { attachmentId: made[2]?.id ?? '' })), 'not_found');
    await assert.rejects(
      own.require(keepBooks).write(async (tx) => {
        await tx.query(
          sql`update accounting.attachment set removed_at = clock_timestamp() where tenant_id = ${own.tenant}::uuid`,
        );
        throw new Error('taken back');
      }),
      /taken back/,
    );
    await world.admin.withClient(async (client) => {
      await client.query('begin; lock table accounting.attachment, accounting.blob in access exclusive mode');
      assert.equal(await attachedBytes(own), 4022);
      await client.query('rollback');
    });
  });

  test('bear names that no header and no file system trips over', async () => {
    for (const [given, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\temp\\a"b.pdf', 'ab.pdf'],
      ['a\r\nX: y\u202e.pdf', 'aX y.pdf'],
      ['..', 'file'],
      ['Beleg für März.pdf', 'Beleg für März.pdf'],
    ] as const)
      assert.equal((await attach(books, file(`name ${given}`, given))).fileName, kept);
  });

  test('belong to a thing that is there, of this tenant, and are attached by those who keep the books', async () => {
    const other = await world.tenant();
    assert.equal(await refusal(attach(other, file('x'))), 'not_found');
    assert.equal(await refusal(attach(books, { ...file('x'), targetKind: 'document' })), 'not_found');
    const made = await attach(books, file('mine'));
    assert.equal(await refusal(readAttachment(other, made.id)), 'not_found');
    assert.equal(await refusal(removeAttachment(other, { attachmentId: made.id })), 'not_found');
    assert.equal(await refusal(attach(world.as(books.tenant, 'vera'), file('y'))), 'insufficient_role');
    assert.equal((await readAttachment(world.as(books.tenant, 'vera'), made.id)).content.toString(), 'mine');
  });
});
