import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { verifyExport } from '@steward/verification/verifier';
import { pastChain } from '../fixtures/days.ts';
import { serve, type Site } from '../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../fixtures/world.ts';

interface Line {
  readonly sequence: number;
  readonly prevHash: string;
  readonly rowHash: string;
  readonly event: { readonly id: string; readonly type: string; readonly payload: Record<string, unknown> };
}

describe('an export', () => {
  let world: World;
  let one: Process;
  let site: Site;
  before(async () => {
    world = await createWorld();
    one = world.process();
    site = await serve(one);
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const get = async (tenant: string, query = '', user = 'alice', more: RequestInit = {}): Promise<Response> =>
    fetch(`${site.url}/api/audit/export?${query}`, {
      headers: { authorization: `Bearer ${user}`, 'x-tenant-id': tenant },
      ...more,
    });
  const linesOf = (text: string): Line[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const verified = async (text: string) =>
    verifyExport(
      (async function* chunks() {
        yield Buffer.from(text);
      })(),
      { canonical: true },
    );
  const recorded = async (tenant: string, type: string): Promise<Line['event'][]> => {
    const rows = await world.admin.query<{ event: string }>(
      sql`select event from audit.event where tenant_id = ${tenant} and type = ${type} order by sequence`,
    );
    return rows.map(({ event }) => JSON.parse(event) as Line['event']);
  };
  const past = async (count: number): Promise<string> =>
    pastChain(world.admin, {
      days: { '2026-03-01': count },
      event: (n) => ({ type: n % 10 === 0 ? 'commerce.order.paid' : 'commerce.order.imported' }),
    });

  test('is the whole chain in order, which the stand-alone verifier follows from the genesis', async () => {
    const tenant = await past(1_000);
    const answer = await get(tenant);
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="audit-${tenant}-1000.jsonl"`);
    const text = await answer.text();
    assert.equal(linesOf(text).length, 1_000);
    const { ok, findings, rows, first, last, holes } = await verified(text);
    assert.deepEqual([ok, findings, rows, first, last, holes], [true, [], 1_000, 1, 1_000, 0]);
  });

  test('begins and ends in the log, with the digest of the file', async () => {
    const tenant = await past(300);
    const text = await (await get(tenant, 'type=commerce.order.paid&sequence_from=15')).text();
    const [begun] = await recorded(tenant, 'audit.events.exported');
    assert.deepEqual(begun?.payload, {
      format: 'jsonl',
      filters: { type: 'commerce.order.paid', sequence_from: '15' },
      through_sequence: 300,
    });
    const [finished] = await recorded(tenant, 'audit.export.finished');
    assert.deepEqual(finished?.payload, {
      count: 29,
      first_sequence: 20,
      last_sequence: 300,
      bytes: Buffer.byteLength(text),
      sha256: hash('sha256', text),
    });
    assert.equal((finished as unknown as { causalId: string }).causalId, begun?.id);
  });

  test('holds what passes the filters of the list, each row verifiable by itself', async () => {
    const tenant = await past(700);
    for (const [query, expected] of [
      ['type=commerce.*.paid', 70],
      ['principal=user:alice&sequence_to=400', 400],
      ['principal=user:nobody', 0],
      ['resource=77', 1],
      ['received_from=2026-03-01T12:00:00Z', 350],
      ['received_from=2026-03-01T12:00:00Z&received_before=2026-03-01T18:00:00Z&grammar=commerce', 175],
      ['occurred_before=2026-03-01T00:00:00Z', 0],
    ] as const) {
      const text = await (await get(tenant, query)).text();
      assert.equal(linesOf(text).filter(({ event }) => !event.type.startsWith('audit.')).length, expected, query);
      assert.equal((await verified(text)).ok, true, query);
    }
  });

  test('ends where the chain stood when it began, whatever is appended meanwhile', async () => {
    const tenant = await past(5_000);
    const over = new AbortController();
    const appending = (async () => {
      while (!over.signal.aborted) await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    })();
    const text = await (await get(tenant)).text();
    over.abort();
    await appending;
    const [begun] = await recorded(tenant, 'audit.events.exported');
    const lines = linesOf(text);
    assert.equal(lines.at(-1)?.sequence, begun?.payload['through_sequence']);
    assert.equal((await verified(text)).ok, true);
    assert.deepEqual(
      lines.map(({ sequence }) => sequence),
      lines.map((_line, index) => index + 1),
    );
  });

  test('that was cut off stands in the log, without an end', async () => {
    const tenant = await past(20_000);
    const leaving = new AbortController();
    const answer = await get(tenant, '', 'alice', { signal: leaving.signal });
    const reader = answer.body?.getReader();
    await reader?.read();
    leaving.abort();
    await reader?.closed.catch(() => undefined);
    await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    assert.equal((await recorded(tenant, 'audit.events.exported')).length, 1);
    assert.deepEqual(await recorded(tenant, 'audit.export.finished'), []);
  });

  test('is cut off when its reader loses the tenant', async () => {
    const tenant = await past(20_000);
    const { body } = await one.audit.export(one.as(tenant, 'alice'), 'jsonl', {});
    const pages = body[Symbol.asyncIterator]();
    await pages.next();
    await world.admin.query(sql`delete from identity.member where tenant_id = ${tenant}`);
    await assert.rejects(pages.next(), { code: 'tenant_forbidden' });
  });

  test('keeps lines and cells whole around U+2028, quotes and formulas', async () => {
    const tenant = await one.tenant();
    const payload = { order_id: '=cmd|"/c calc"!A1', note: 'a\u2028b\r\n\0,"', 10: 1, 9: 2 };
    const tags = { '=key': '@value' };
    await one.audit.ingest(
      one.as(tenant, 'alice'),
      sample({ payload, dimensional_tags: tags, source: '=HYPERLINK("http://x")', source_event_id: '-2+3' }),
      'snake',
    );
    const text = await (await get(tenant)).text();
    assert.equal((await verified(text)).ok, true);
    assert.deepEqual(linesOf(text).at(-1)?.event.payload, payload);
    const answer = await get(tenant, 'format=csv&type=commerce.**');
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    const [header, row] = readCsv(await answer.text());
    const cells = Object.fromEntries((header ?? []).map((name, index) => [name, row?.[index] ?? '']));
    assert.equal(cells['source'], `'=HYPERLINK("http://x")`);
    assert.equal(cells['source_event_id'], "'-2+3");
    assert.equal(cells['principals'], 'user:alice');
    assert.deepEqual(JSON.parse(cells['payload'] ?? ''), payload);
    assert.ok(cells['payload']?.startsWith('{"10":1,"9":2,'), 'in canonical order');
    assert.deepEqual(JSON.parse(cells['dimensional_tags'] ?? ''), tags);
    assert.match(cells['row_hash'] ?? '', /^[0-9a-f]{64}$/);
  });

  test('is for members, as reading is, of one tenant', async () => {
    const tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
    assert.equal((await get(tenant, '', 'vera')).status, 200);
    const denied = await get(tenant, '', 'mallory');
    assert.deepEqual([denied.status, ((await denied.json()) as { code: string }).code], [403, 'tenant_forbidden']);
    const hostile = await get(tenant, 'principal=x&format=xml&limit=3');
    const { errors } = (await hostile.json()) as { errors: { pointer: string }[] };
    assert.deepEqual(errors.map(({ pointer }) => pointer).toSorted(), ['?format', '?limit', '?principal']);
    assert.equal((await recorded(tenant, 'audit.events.exported')).length, 1);
    const bob = await one.tenant({ bob: 'owner' });
    assert.ok(!(await (await get(bob, '', 'bob')).text()).includes(tenant));
  });

  test('is not begun by HEAD', async () => {
    const tenant = await one.tenant();
    assert.equal((await get(tenant, '', 'alice', { method: 'HEAD' })).status, 200);
    assert.equal((await get(tenant, '', 'mallory', { method: 'HEAD' })).status, 403);
    assert.deepEqual(await recorded(tenant, 'audit.events.exported'), []);
  });
});

/** RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
