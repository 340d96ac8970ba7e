import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createWorld, emittedTypes, outputOf, type World } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';

const run = promisify(execFile);
const sha256 = (...parts: readonly (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** A tenant whose only event was received on a day in the past, hashed by the rule that the guide for auditors prints. */
async function pastTenant(world: World, received: number): Promise<{ tenant: string; id: string }> {
  const [tenant, id] = [randomUUID(), randomUUID()];
  const genesis = sha256('audit-genesis/v1\n', tenant);
  const at = new Date(received).toISOString();
  const principal = '{"principalId":"ann","principalType":"user"}';
  const event = `{"eventVersion":"1.0.0","grammar":"crm","grammarDigest":"${'ab'.repeat(32)}","id":"${id}","ingestedBy":${principal},"occurredAt":"${at}","payload":{"note":"a\u2028b"},"principalChain":[${principal}],"source":"past","tenantId":"${tenant}","type":"crm.note.added"}`;
  const eventHash = sha256('audit-event/v1\n', event);
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64BE(1n, 0);
  numbers.writeBigUInt64BE(BigInt(received), 8);
  const rowHash = sha256('audit-row/v1\n', genesis, numbers, eventHash);
  await using admin = openPool({ url: world.db.adminUrl, size: 1 });
  await admin.query(sql`insert into audit.head (tenant_id, sequence, row_hash, received_at)
    values (${tenant}, 1, ${rowHash}, ${at})`);
  await admin.query(sql`insert into audit.event (tenant_id, sequence, received_at, event_hash, row_hash, id, type, grammar,
      occurred_at, principals, event)
    values (${tenant}, 1, ${at}, ${eventHash}, ${rowHash}, ${id}, 'crm.note.added', 'crm', ${at}, '{user:ann}', ${event})`);
  return { tenant, id };
}

describe('an auditor', () => {
  let world: World;
  let folder: string;
  const steward = async (...args: string[]): Promise<string> => outputOf(world.command(['audit', ...args]));
  const verify = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [join(folder, 'verify.mjs'), ...args])).stdout;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-auditor-'));
    world = await createWorld();
    const answer = await fetch(`${world.server.addresses.accounting}/api/audit/verifier`);
    await writeFile(join(folder, 'verify.mjs'), Buffer.from(await answer.arrayBuffer()));
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('finds who acted, takes the log along, and verifies it with the file that was downloaded', async () => {
    const { tenant, token } = await world.signUp('alice@example.com');
    const { accounting } = world.server.addresses;
    const list = await world.call(`${accounting}/api/audit/events?type=portal.**&limit=5`, { token, tenant });
    const [event] = list.body['items'] as unknown as { id: string; principal_chain: Record<string, string>[] }[];
    const first = event?.principal_chain[0];
    const who = encodeURIComponent(`${first?.['principal_type']}:${first?.['principal_id']}`);
    const hers = await world.call(`${accounting}/api/audit/events?principal=${who}`, { token, tenant });
    assert.ok((hers.body['items'] as unknown as unknown[]).length > 0);
    const download = await fetch(`${accounting}/api/audit/export`, {
      headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant },
    });
    const file = join(folder, 'export.jsonl');
    await writeFile(file, Buffer.from(await download.arrayBuffer()));
    assert.match(await verify('--export', file), /^consistent: /);
    const proof = await world.call(`${accounting}/api/audit/events/${event?.id}/proof`, { token, tenant });
    assert.equal(proof.body['code'], 'not_sealed');
    const exported = await world.call(`${accounting}/api/audit/events?type=audit.*.*&limit=2`, { token, tenant });
    assert.deepEqual(
      (exported.body['items'] as unknown as { type: string }[]).map(({ type }) => type),
      ['audit.export.finished', 'audit.events.exported'],
    );
  });

  test('reads what people and agents are called beside every principal, in lists, in trees and in a table', async () => {
    const { tenant, token } = await world.signUp('nora@example.com');
    const { accounting, portal, issuer } = world.server.addresses;
    const client = await world.call(`${issuer}/register`, {
      body: { client_name: 'Books for Nora', redirect_uris: ['https://books.example/back'] },
    });
    const agent = String(client.body['client_id']);
    const acting = await world.token({ user: 'nora@example.com', agent });
    const named = await world.call(`${portal}/api/organization`, {
      token: await world.token({ user: 'nora@example.com', approver: true }),
      tenant,
      method: 'PATCH',
      body: { name: 'Nora & Co' },
    });
    assert.equal(named.status, 200, JSON.stringify(named.body));
    const sent = await world.call(`${accounting}/api/audit/events`, {
      token: acting,
      tenant,
      body: {
        type: 'commerce.order.imported',
        event_version: '1.0.0',
        grammar: 'commerce',
        source: 'marketplace',
        payload: { order_id: '1' },
        principal_chain: [{ principal_type: 'user', principal_id: 'unheard-of' }],
        occurred_at: '2026-03-01T10:00:00Z',
        correlation_id: 'named-1',
      },
    });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    type Seen = {
      id: string;
      display_names?: object;
      principal_chain: Record<string, string>[];
      ingested_by?: Record<string, string>;
    };
    const reads = ['events?limit=100', `events/${String(sent.body['id'])}`, 'causality?correlation_id=named-1'];
    const everybody = new Set<string>();
    for (const read of reads) {
      const { body } = await world.call(`${accounting}/api/audit/${read}`, { token, tenant });
      for (const event of (body['items'] ?? [body]) as unknown as Seen[]) {
        const principals = [...event.principal_chain, ...(event.ingested_by === undefined ? [] : [event.ingested_by])];
        for (const { principal_type: type, principal_id: id } of principals) {
          const name =
            type === 'user' ? 'nora@example.com' : type === 'agent' && id === agent ? 'Books for Nora' : undefined;
          const told = (event.display_names as Record<string, string> | undefined)?.[`${type}:${id}`];
          assert.equal(told, id === 'unheard-of' ? undefined : name, `${read}: ${type}:${id}`);
          if (told !== undefined) everybody.add(told);
        }
      }
    }
    assert.deepEqual([...everybody].toSorted(), ['Books for Nora', 'nora@example.com']);
    const table = await fetch(`${accounting}/api/audit/export?format=csv`, {
      headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant },
    });
    const lines = (await table.text()).split('\r\n');
    assert.match(lines[0] ?? '', /,display_names,/);
    assert.match(
      lines.find((line) => line.includes('commerce.order.imported')) ?? '',
      /nora@example\.com; Books for Nora|Books for Nora/,
    );
  });

  test('is handed an export with verifier, keys and instructions, and a proof, by the command line', async () => {
    const { tenant, id } = await pastTenant(world, Date.parse('2026-03-02T10:00:00.123Z'));
    await steward('seal', '--day', '2026-03-03', '--tenant', tenant);
    const out = join(folder, 'handed');
    await steward('export', '--tenant', tenant, '--from', '2026-03-02', '--to', '2026-03-02', '--out', out);
    assert.deepEqual((await readdir(out)).toSorted(), [
      'README.txt',
      `audit-${tenant}-1.jsonl`,
      'keys.txt',
      'steward-audit-verify.mjs',
    ]);
    const told = /^ {4}node (.*--export .*)$/m.exec(await readFile(join(out, 'README.txt'), 'utf8'))?.[1] ?? '';
    const { stdout } = await run(process.execPath, told.split(' '), { cwd: out });
    assert.match(stdout, /^consistent: [^]*1 rows/);
    const proof = join(folder, 'proof.json');
    await steward('proof', '--event', id, '--tenant', tenant, '--out', proof);
    assert.match(await verify('--proof', proof, '--key', join(out, 'keys.txt')), /^verified[^]*crm\.note\.added/);
  });

  test('finds under Steward’s own types of event only what Steward recorded: outsiders may record one of them alone', async () => {
    const { tenant, token } = await world.signUp('carol@example.com');
    const { accounting } = world.server.addresses;
    const grammars = await world.call(`${accounting}/api/audit/grammars`, { token, tenant });
    const known = (grammars.body['items'] as unknown as { grammar: string }[]).map(({ grammar }) => grammar);
    const emitted = emittedTypes([...known, 'platform', 'system', 'bus', 'mail', 'domain']);
    assert.ok(emitted.length > 80 && emitted.includes('commerce.storefront.form.submitted'), `${emitted.length} found`);
    const send = async (type: string): Promise<string> => {
      const body = {
        type,
        event_version: '1.0.0',
        grammar: 'commerce',
        source: 'marketplace',
        payload: { order_id: '1' },
        principal_chain: [{ principal_type: 'user', principal_id: 'carol@example.com' }],
        occurred_at: '2026-03-01T10:00:00Z',
      };
      const answer = await world.call(`${accounting}/api/audit/events`, { token, tenant, body });
      return answer.status === 201 ? 'recorded' : String(answer.body['code']);
    };
    const told = await Promise.all(emitted.map(async (type) => [type, await send(type)] as const));
    assert.deepEqual(
      told.filter(([, answer]) => answer !== 'reserved_event_type'),
      [['commerce.order.imported', 'recorded']],
    );
    // Spellings that a reader, a search or a database could take for the same name: none is ever recorded.
    const folded = (type: string): readonly string[] => [
      type.toUpperCase(),
      type.replace(/^./, (first) => String.fromCodePoint(first.codePointAt(0)! + 0xfee0)),
      type.normalize('NFKD').replace('s', '\u017f'),
      type.replace('.', '\uff0e'),
    ];
    const strange = (type: string): readonly string[] => [
      `${type} `,
      ` ${type}`,
      `${type}\u200b`,
      type.replace('e', '\u0435'),
      type.replace('o', '\u00f8'),
      type.replace('.', '..'),
      `${type}.`,
      type.replace('i', '\u0131'),
    ];
    for (const type of ['commerce.storefront.form.submitted', 'portal.tenant.created', 'accounting.entry.posted']) {
      for (const spelling of folded(type)) assert.equal(await send(spelling), 'reserved_event_type', spelling);
      for (const spelling of strange(type)) {
        if (spelling !== type)
          assert.match(await send(spelling), /^(?:reserved_event_type|invalid_envelope)$/, spelling);
      }
    }
  });

  test('checks the receipt that was kept with the command line, from a file or a pipe', async () => {
    const { tenant, token } = await world.signUp('dora@example.com');
    const answer = await world.call(`${world.server.addresses.accounting}/api/audit/events`, {
      token,
      tenant,
      headers: { prefer: 'receipt' },
      body: {
        type: 'commerce.order.imported',
        event_version: '1.0.0',
        grammar: 'commerce',
        source: 'marketplace',
        payload: { order_id: '1' },
        principal_chain: [{ principal_type: 'user', principal_id: 'dora@example.com' }],
        occurred_at: '2026-03-01T10:00:00Z',
      },
    });
    const [kept, forged] = [join(folder, 'receipt.json'), join(folder, 'forged.json')];
    await writeFile(kept, JSON.stringify(answer.body));
    await writeFile(forged, JSON.stringify({ ...answer.body, sequence: Number(answer.body['sequence']) + 1 }));
    assert.match(await steward('receipt', '--file', kept), /^tenant .*\nVerified: the receipt is genuine/);
    const key = (await steward('keys')).trim();
    assert.match(await steward('receipt', '--file', kept, '--key', key, '--json'), /"ok": true[^]*"trust": "option"/);
    const failed = ({ code, stdout }: { code: number; stdout: string }): boolean =>
      code === 1 && /its signature is false/.test(stdout) && /NOT VERIFIED/.test(stdout);
    await assert.rejects(steward('receipt', '--file', forged), failed);
    await assert.rejects(steward('receipt', '--file', key), ({ code }: { code: number }) => code !== 1 && code !== 0);
  });

  test('finds one archive to belong to one database: a server on another one does not start over it', async () => {
    await using other = await createTestDatabase([]);
    const env = { DATABASE_URL: other.appUrl, DATABASE_OWNER_URL: other.ownerUrl };
    const archive = join(world.dataDir, 'archive');
    const before = await readdir(archive, { recursive: true });
    assert.ok(before.some((path) => path.includes('claims')));
    await assert.rejects(
      world.beside(env),
      /belongs to another database [^]*AUDIT_ARCHIVE, DATA_DIR[^]*steward audit claim --reason/,
    );
    assert.deepEqual(await readdir(archive, { recursive: true }), before);
  });

  test('is told on the command line what is wrong', async () => {
    const { tenant } = await world.signUp('bob@example.com');
    const wrong: readonly [args: readonly string[], told: RegExp][] = [
      [['export', '--tenant', tenant], /--out/],
      [['export', '--tenant', tenant, '--out', join(folder, 'x'), '--principal', 'alice'], /user:alice/],
      [['export', '--tenant', randomUUID(), '--out', join(folder, 'x')], /no such tenant/],
      [['proof', '--event', 'nope'], /--event is the id of an event/],
      [['proof', '--event', randomUUID(), '--format', 'tlog-proof'], /no such event/],
      [['claim'], /--reason/],
      [['claim', '--reason', 'two\nlines'], /--reason/],
      [['receipt', '--file', '/dev/null'], /no JSON/],
    ];
    await Promise.all(
      wrong.map(async ([args, told]) =>
        assert.rejects(steward(...args), ({ stderr }: { stderr: string }) => told.test(stderr)),
      ),
    );
  });
});
