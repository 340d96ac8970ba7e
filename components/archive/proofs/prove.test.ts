import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { pastChain, serve, type Site, sample } from '@steward/audit/testing';
import { verifyProof } from '@steward/verification/verifier';
import type { SealingProcess } from '../fixtures/process.ts';
import { openNote } from '../format/note.ts';
import { readCheckpoint } from '../format/checkpoint.ts';
import { rootFromPath } from '../format/merkle.ts';
import { createSealingWorld, sealed, type SealingWorld } from '../fixtures/sealing.ts';
import type { Proof } from './proof.ts';

const days = { '2026-03-01': 1, '2026-03-02': 7, '2026-03-03': 0, '2026-03-04': 8, '2026-03-05': 3 };

describe("one event's proof", () => {
  let sealing: SealingWorld;
  let one: SealingProcess;
  let site: Site;
  let tenant: string;
  let keys: string[];
  before(async () => {
    sealing = await createSealingWorld();
    one = sealing.process();
    site = await serve(one, 'with GraphQL');
    tenant = await pastChain(sealing.world.admin, { days, event: () => ({ payload: { note: 'a\u2028b\0c' } }) });
    await one.start();
    await sealed(one.archive, '2026-03-05');
    keys = (await one.archive.keys.registered()).map(({ verifierKey }) => verifierKey);
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await sealing[Symbol.asyncDispose]();
  });
  const idOf = async (sequence: number): Promise<string> => {
    const [row] = await sealing.world.admin.query<{ id: string }>(
      sql`select id from audit.event where tenant_id = ${tenant} and sequence = ${sequence}`,
    );
    return row?.id ?? '';
  };
  const text = async (id: string, query = ''): Promise<Response> =>
    fetch(`${site.url}/api/audit/events/${id}/proof${query}`, {
      headers: { authorization: 'Bearer alice', 'x-tenant-id': tenant },
    });

  test('holds for every event of every sealed day, before the stand-alone verifier', async () => {
    for (let sequence = 1; sequence <= 19; sequence += 1) {
      const document = await (await text(await idOf(sequence))).text();
      const verdict = await verifyProof(document, { keys });
      assert.deepEqual(verdict.findings, [], `sequence ${sequence}`);
      assert.equal(verdict.proved?.sequence, sequence);
    }
  });

  test('is refused by the verifier for another event, day or tenant', async () => {
    const document = await (await text(await idOf(5))).text();
    const proof = JSON.parse(document) as Proof;
    const changes: readonly Partial<Proof>[] = [
      { event: proof.event.replace('marketplace', 'marketplacf') },
      { sequence: 6 },
      { receivedAt: '2026-03-02T00:00:00.000Z' },
      { day: '2026-03-04' },
      { leafIndex: proof.leafIndex + 1 },
      { path: proof.path.slice(1) },
      { checkpoint: proof.checkpoint.replace('\n7\n', '\n8\n') },
    ];
    for (const change of changes) {
      const changed = JSON.stringify({ ...proof, ...change });
      assert.equal((await verifyProof(changed, { keys })).ok, false, JSON.stringify(change));
    }
  });

  test('is a C2SP tlog-proof too', async () => {
    const id = await idOf(6);
    const answer = await text(id, '?format=tlog-proof');
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    const [head = '', ...rest] = (await answer.text()).split('\n\n');
    const [magic, index, ...hashes] = head.split('\n');
    const told = readCheckpoint(openNote(rest.join('\n\n'), keys).text);
    const proof = (await (await text(id)).json()) as Proof;
    assert.deepEqual([magic, index], ['c2sp.org/tlog-proof@v1', `index ${proof.leafIndex}`]);
    const path = hashes.map((hash) => Buffer.from(hash, 'base64'));
    const root = rootFromPath(Buffer.from(proof.rowHash, 'hex'), proof.leafIndex, told.count, path);
    assert.equal(root?.toString('hex'), told.root);
    const query = `query ($id: ID!) { auditProof(eventId: $id) { format day sequence path tlogProof } }`;
    const { body } = await site.call('/graphql', { tenant, body: { query, variables: { id } } });
    const graph = (body['data'] as { auditProof: Record<string, unknown> }).auditProof;
    assert.deepEqual([graph['sequence'], graph['path']], ['6', proof.path]);
    assert.equal(graph['tlogProof'], [head, ...rest].join('\n\n'));
  });

  test('waits for the seal, and says from when on to ask again', async () => {
    const { event } = await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    const { status, body } = await site.call(`/api/audit/events/${event.envelope.id}/proof`, { tenant });
    assert.deepEqual([status, body['code']], [409, 'not_sealed']);
    assert.match(String(body['detail']), /from \d{4}-\d{2}-\d{2}T00:00:00\.000Z on/);
  });

  test('is a receipt until then, which holds before the stand-alone verifier with the key alone', async () => {
    const { event } = await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    const path = `/api/audit/events/${event.envelope.id}/receipt`;
    const { status, body } = await site.call(path, { tenant });
    assert.equal(status, 200);
    const verdict = await verifyProof(JSON.stringify(body), { keys });
    assert.deepEqual([verdict.findings, verdict.proved?.sequence], [[], Number(event.sequence)]);
    // Of a sealed day there is the proof; others are told nothing.
    const sealedDay = await site.call(`/api/audit/events/${await idOf(5)}/receipt`, { tenant });
    assert.deepEqual([sealedDay.status, sealedDay.body['code']], [409, 'day_sealed']);
    const other = await one.tenant({ bob: 'owner' });
    assert.equal((await site.call(path, { tenant: other, user: 'bob' })).body['code'], 'not_found');
    assert.equal((await site.call(path, { tenant, user: 'bob' })).body['code'], 'tenant_forbidden');
  });

  test('is not signed where the row is not what was hashed', async () => {
    const { event } = await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    await sealing.world.admin.withClient(async (client) => {
      await client.query('alter table audit.event disable trigger all');
      const changed = 'update audit.event set event = replace(event, $1, $2) where tenant_id = $3 and id = $4';
      await client.query(changed, ['1001', '1009', tenant, event.envelope.id]);
      const asked = await site.call(`/api/audit/events/${event.envelope.id}/receipt`, { tenant });
      assert.deepEqual([asked.status, asked.body['code']], [409, 'audit_mismatch']);
      await client.query(changed, ['1009', '1001', tenant, event.envelope.id]);
    });
  });

  test('shows another tenant nothing', async () => {
    const other = await one.tenant({ bob: 'owner' });
    const path = `/api/audit/events/${await idOf(5)}/proof`;
    assert.equal((await site.call(path, { tenant: other, user: 'bob' })).body['code'], 'not_found');
    assert.equal((await site.call(path, { tenant, user: 'bob' })).body['code'], 'tenant_forbidden');
    assert.equal((await site.call('/api/audit/events/x/proof', { tenant })).body['code'], 'not_found');
    assert.equal((await site.call(`${path}?format=xml`, { tenant })).body['code'], 'invalid_request');
  });

  test('tells a record that was tampered with from a day that is not sealed', async () => {
    const id = await idOf(5);
    const where = `where tenant_id = '${tenant}' and day = '2026-03-02'`;
    const [kept] = await sealing.world.admin.query<{ row: string }>(
      sql`select to_json(d)::text as row from audit.sealed_day d where tenant_id = ${tenant} and day = '2026-03-02'`,
    );
    const doing = async (...statements: readonly string[]): Promise<Response> => {
      await sealing.world.admin.withClient(async (client) => {
        await client.query('alter table audit.sealed_day disable trigger all');
        await client.query('alter table audit.head disable trigger all');
        for (const statement of statements) await client.query(statement);
      });
      return text(id);
    };
    const code = async (answer: Promise<Response>): Promise<unknown> => {
      const { status } = await answer;
      const body = (await (await answer).json()) as { code: string };
      return [status, body.code];
    };
    for (const forged of [
      "'garbage'",
      "replace(checkpoint, 'manifest', 'manifest ')",
      "split_part(checkpoint, e'\\n\\n', 1) || e'\\n\\n'",
    ])
      assert.deepEqual(await code(doing(`update audit.sealed_day set checkpoint = ${forged} ${where}`)), [
        409,
        'audit_mismatch',
      ]);
    // The archive still holds what was signed.
    const gone = await doing(
      `delete from audit.sealed_day ${where}`,
      `update audit.head set sealed_through = '2026-03-01'`,
    );
    assert.deepEqual((await verifyProof(await gone.text(), { keys })).findings, []);
    await doing(
      `insert into audit.sealed_day select * from json_populate_record(null::audit.sealed_day, '${kept?.row ?? ''}')`,
    );
    assert.equal((await text(id)).status, 200);
  });

  const tampering: readonly [what: string, change: string, proved: number, told: RegExp][] = [
    [
      'its text',
      "update audit.event set event = replace(event, 'marketplace', 'elsewhere') where sequence = 5",
      5,
      /sequence 5/,
    ],
    ['the hash of a neighbour', 'update audit.event set row_hash = sha256(row_hash) where sequence = 10', 12, /root/],
    ['a neighbour gone', 'delete from audit.event where sequence = 18', 17, /2 rows of 3/],
  ];
  for (const [what, change, proved, told] of tampering) {
    test(`is not given for a day that was changed after it was sealed: ${what}`, async () => {
      const id = await idOf(proved);
      await sealing.world.admin.withClient(async (client) => {
        await client.query('alter table audit.event disable trigger append_only');
        await client.query(`${change} and tenant_id = $1`, [tenant]);
        await client.query('alter table audit.event enable always trigger append_only');
      });
      const { status, body } = await site.call(`/api/audit/events/${id}/proof`, { tenant });
      assert.deepEqual([status, body['code']], [409, 'audit_mismatch']);
      assert.match(String(body['detail']), told);
    });
  }
});
