import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { permit, roles } from '@steward/access';
import { openPool, statement } from '@steward/sql';
import { startServer, type Server } from '../fixtures/server.ts';
import { notesOf, secretOf } from '../fixtures/notes.ts';
import { call } from '../fixtures/requests.ts';
import { codeOf, resultOf } from '../fixtures/results.ts';
import { eraseAnswers } from './erase-answers.ts';
import type { Answer } from '../fixtures/world.ts';

describe('commands', () => {
  let server: Server;
  let tenant: string;
  before(async () => {
    server = await startServer();
  });
  after(async () => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    server.between = () => undefined;
    tenant = await server.tenant({ alice: 'owner', bob: 'admin' });
  });

  const send = async (name: string, args: unknown, caller = 'alice'): Promise<Answer> =>
    server.world.post('/mcp', call(name, args), { 'x-tenant-id': tenant, authorization: `Bearer ${caller}` });
  const notes = async (): Promise<string[]> => notesOf(server.as(tenant, 'alice'));
  const key = 'key-00001';

  test('without a key happen each time', async () => {
    await send('service_add_note', { text: 'a' });
    await send('service_add_note', { text: 'a' });
    assert.deepEqual(await notes(), ['a', 'a']);
  });

  test('under one key happen once and answer the stored result', async () => {
    const first = await send('service_add_note', { text: 'a', idempotency_key: key });
    assert.equal(resultOf(first)['status'], 'ok');
    for (let again = 0; again < 3; again += 1) {
      assert.equal((await send('service_add_note', { idempotency_key: key, text: 'a' })).text, first.text);
    }
    assert.deepEqual(await notes(), ['a']);
    assert.equal(server.recorded.length, 1);
    assert.equal(server.published.length, 1);
  });

  test('under one key at the same time happen once and answer all alike', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => send('service_add_note', { text: 'a', idempotency_key: key })),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(resultOf(answers[0] as Answer)['status'], 'ok');
    assert.deepEqual(await notes(), ['a']);
    assert.equal(server.recorded.length, 1);
  });

  test('under one key with other arguments are refused, also at the same time', async () => {
    await send('service_add_note', { text: 'a', idempotency_key: key });
    assert.equal(codeOf(await send('service_add_note', { text: 'b', idempotency_key: key })), 'idempotency_conflict');
    const raced = await Promise.all(
      ['c', 'd', 'e', 'f'].map(async (text) => send('service_add_note', { text, idempotency_key: 'key-00002' })),
    );
    const won = raced.filter((answer) => codeOf(answer) === undefined);
    assert.equal(won.length, 1);
    assert.equal((await notes()).length, 2);
  });

  test('of another caller, another tool or another tenant are other commands', async () => {
    await send('service_add_note', { text: 'a', idempotency_key: key });
    await send('service_add_note', { text: 'b', idempotency_key: key }, 'bob');
    await send('service_add_other', { text: 'c', idempotency_key: key });
    assert.deepEqual(await notes(), ['a', 'b', 'c']);
    const first = tenant;
    tenant = await server.tenant({ alice: 'owner' });
    await send('service_add_note', { text: 'd', idempotency_key: key });
    assert.deepEqual(await notes(), ['d']);
    tenant = first;
    assert.equal((await notes()).length, 3);
  });

  test('that broke off between two transactions go on where they stopped', async () => {
    server.between = () => {
      throw new Error('the process died here');
    };
    const broken = await send('service_add_two', { text: 'a', idempotency_key: key });
    assert.equal(codeOf(broken), 'internal_error');
    assert.deepEqual(await notes(), ['a 1']);
    server.between = () => undefined;
    const mended = await send('service_add_two', { text: 'a', idempotency_key: key });
    assert.equal(resultOf(mended)['status'], 'ok');
    assert.deepEqual(await notes(), ['a 1', 'a 2']);
    assert.equal((await send('service_add_two', { text: 'a', idempotency_key: key })).text, mended.text);
    assert.deepEqual(await notes(), ['a 1', 'a 2']);
  });

  test('whose result was lost after their effect answer it again from what each transaction kept', async () => {
    const first = await send('service_add_note', { text: 'a', idempotency_key: key });
    await using admin = openPool({ url: server.database.adminUrl, size: 1 });
    await admin.query(statement('delete from tools.command_step where step = 0'));
    assert.equal((await send('service_add_note', { text: 'a', idempotency_key: key })).text, first.text);
    assert.equal(codeOf(await send('service_add_note', { text: 'b', idempotency_key: key })), 'idempotency_conflict');
    assert.deepEqual(await notes(), ['a']);
  });

  test('whose answer holds a secret answer it again, and no table holds it', async () => {
    const sent = async (text: string) => send('service_add_secret', { text, idempotency_key: key });
    const answers = await Promise.all(Array.from({ length: 8 }, async () => sent('a')));
    answers.push(await sent('a'));
    const id = String((resultOf(answers[0] as Answer)['data'] as { id?: unknown }).id);
    assert.deepEqual(
      new Set(answers.map((one) => String(resultOf(one)['summary']))),
      new Set([`The secret is ${secretOf(id)}.`]),
    );
    assert.deepEqual(await notes(), ['a']);
    assert.equal(codeOf(await sent('b')), 'idempotency_conflict');
    await using admin = openPool({ url: server.database.adminUrl, size: 1 });
    const rows = await admin.query<{ result: string | null; value: Buffer }>(
      statement('select result, value from tools.command_step where tenant_id = $1', [tenant]),
    );
    assert.equal(rows.length, 1);
    for (const { result, value } of rows) {
      assert.equal(result, null);
      assert.ok(!value.toString('latin1').includes(secretOf(id)));
    }
  });

  test('that were about somebody who was erased answer so, and are not done again', async () => {
    const erase = async (...texts: string[]): Promise<number> =>
      server
        .as(tenant, 'alice')
        .require(permit('erase', roles))
        .write(async (tx) => eraseAnswers(tx, texts));
    const other = await send('service_add_note', { text: 'of bea@example.com', idempotency_key: 'key-of-bea' });
    await send('service_add_note', { text: 'of Žofie <zofie@example.com>', idempotency_key: key });
    server.between = async () => assert.equal(await erase('anna@example.com'), 1);
    const sent = await send('service_add_two', { text: 'of anna@example.com', idempotency_key: key });
    assert.equal(resultOf(sent)['status'], 'ok');
    assert.equal(await erase('nobody@example.com', 'zofie@example.com'), 1);
    assert.equal(
      await erase('zofie@example.com', 'anna@example.com'),
      1,
      'what was done after it is found by the next',
    );
    assert.equal(await erase('a@example.co'), 0, 'the address of anybody else is not a part of hers');
    assert.equal(await erase('bea@example.co'), 0);
    const before = await notes();
    for (const [name, text] of [
      ['service_add_note', 'of Žofie <zofie@example.com>'],
      ['service_add_two', 'of anna@example.com'],
    ] as const) {
      const again = await send(name, { text, idempotency_key: key });
      assert.equal(codeOf(again), 'answer_erased');
    }
    assert.deepEqual(await notes(), before);
    assert.equal(
      (await send('service_add_note', { text: 'of bea@example.com', idempotency_key: 'key-of-bea' })).text,
      other.text,
    );
    await using admin = openPool({ url: server.database.adminUrl, size: 1 });
    const kept = await admin.query(
      statement(
        'select step from tools.command_step where tenant_id = $1 and (result is not null or value is not null)',
        [tenant],
      ),
    );
    assert.equal(kept.length, 2, 'the two of Bea');
  });

  test('are remembered for thirty days', async () => {
    await send('service_add_note', { text: 'a', idempotency_key: key });
    await using admin = openPool({ url: server.database.adminUrl, size: 1 });
    await admin.query(statement(`update tools.command_step set created_at = created_at - interval '31 days'`));
    await send('service_add_note', { text: 'b', idempotency_key: 'key-00002' });
    await send('service_add_note', { text: 'c', idempotency_key: key });
    assert.deepEqual(await notes(), ['a', 'b', 'c']);
  });

  test('in preview show what they would do, and do nothing', async () => {
    const preview = await send('service_add_two', { text: 'a', preview: true, idempotency_key: key });
    const result = resultOf(preview);
    assert.equal(result['status'], 'preview');
    assert.match(String(result['preview']?.['id']), /^\d+$/);
    assert.deepEqual(await notes(), []);
    assert.deepEqual([server.recorded, server.published], [[], []]);
    // The key is still free, for other arguments too.
    assert.equal(resultOf(await send('service_add_two', { text: 'b', idempotency_key: key }))['status'], 'ok');
    assert.deepEqual(await notes(), ['b 1', 'b 2']);
  });

  test('may not hide in a tool of tier read', async () => {
    assert.equal(codeOf(await send('service_peek_note', { text: 'a' })), 'internal_error');
    assert.deepEqual(await notes(), []);
  });

  test('of who is no member any more are refused by the transaction itself, replays too', async () => {
    const bob = async (name: string, args: object) => codeOf(await send(name, args, 'bob'));
    await send('service_add_note', { text: 'a', idempotency_key: key }, 'bob');
    await server.remove(tenant, 'bob');
    assert.equal(await bob('service_add_note', { text: 'b' }), 'tenant_forbidden');
    assert.equal(await bob('service_add_note', { text: 'b', preview: true }), 'tenant_forbidden');
    assert.equal(await bob('service_add_note', { text: 'a', idempotency_key: key }), 'tenant_forbidden');
    assert.deepEqual(await notes(), ['a']);
    assert.deepEqual(server.world.denials, []);
  });
});
