import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'node:test';
import { startServer, surroundings, type Running } from '@steward/conformance/world';
import { mintToken } from '@steward/identity/provider';

const command = fileURLToPath(new URL('../../apps/cli/steward.ts', import.meta.url));

interface Stored {
  readonly id: string;
  readonly sequence: number;
  readonly row_hash: string;
}

/** One tenant, and callers who append to it with retries under one key each until they are answered. */
async function withTenant(
  dataDir: string,
  running: Running,
): Promise<{ append: (at: Running, key: string) => Promise<Stored | undefined> }> {
  const tokenAt = async ({ issuer, addresses }: Running): Promise<string> => {
    const { issuer: _issuer, ...audiences } = addresses;
    return mintToken({ dataDir, issuer, audiences: [...new Set(Object.values(audiences))], user: 'alice@example.com' });
  };
  const tokens = new Map<string, Promise<string>>();
  const token = async (at: Running): Promise<string> => {
    const known = tokens.get(at.issuer) ?? tokenAt(at);
    tokens.set(at.issuer, known);
    return known;
  };
  const post = async (at: Running, url: string, body: object, headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token(at)}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
  const signup = await post(
    running,
    `${running.addresses.portal}/api/external-agent/signup`,
    { organizationName: 'Survivor' },
    { 'idempotency-key': 'survivor-1' },
  );
  const { tenant } = (await signup.json()) as { tenant: { headerValue: string } };
  return {
    append: async (at, key) => {
      const event = {
        type: 'commerce.order.imported',
        event_version: '1.0.0',
        grammar: 'commerce',
        source: 'test',
        payload: { order_id: key },
        principal_chain: [{ principal_type: 'service', principal_id: 'shop' }],
        occurred_at: '2026-01-01T00:00:00Z',
        idempotency_key: key,
      };
      try {
        const answer = await post(at, `${at.addresses.accounting}/api/audit/events`, event, {
          'x-tenant-id': tenant.headerValue,
        });
        const body = (await answer.json()) as Stored;
        if (answer.status === 201) return body;
        assert.equal(answer.status, 503, JSON.stringify(body));
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
      }
      return undefined;
    },
  };
}

async function verdict(dataDir: string): Promise<{ ok: boolean; events: number }> {
  const child = spawn(process.execPath, [command, 'audit', 'verify', '--json'], {
    env: { ...surroundings, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  await once(child, 'close');
  return JSON.parse(text) as { ok: boolean; events: number };
}

describe('what was acknowledged', () => {
  test('survives kill -9 of the server and of PostgreSQL in the middle of ingest, several times', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steward-survival-'));
    await using stack = new AsyncDisposableStack();
    stack.defer(async () => rm(folder, { recursive: true, force: true }));
    const dataDir = join(folder, 'data');
    let running = await startServer({ DATA_DIR: dataDir });
    stack.defer(async () => {
      if (running.child.exitCode === null && running.child.signalCode === null) await running.kill();
    });
    const { append } = await withTenant(dataDir, running);
    const acknowledged = new Map<string, Stored>();
    const work = new AbortController();
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let n = 0; !work.signal.aborted; n += 1) {
        const key = `caller-${caller}-event-${n}`;
        let stored = await append(running, key);
        while (stored === undefined && !work.signal.aborted) {
          // Eight who ask all the time take a processor from the server that starts.
          await sleep(200);
          stored = await append(running, key);
        }
        if (stored !== undefined) acknowledged.set(key, stored);
      }
    });
    for (const victim of ['server', 'postgres', 'server', 'postgres'] as const) {
      // In the middle of ingest, however busy the machine is.
      for (const had = acknowledged.size; acknowledged.size < had + 15;) await sleep(20);
      if (victim === 'server') {
        await running.kill();
      } else {
        const exited = once(running.child, 'exit');
        process.kill(
          Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]),
          'SIGKILL',
        );
        await exited;
      }
      running = await startServer({ DATA_DIR: dataDir });
    }
    for (const had = acknowledged.size; acknowledged.size < had + 15;) await sleep(20);
    work.abort();
    await Promise.all(callers);
    assert.ok(acknowledged.size > 50, `only ${acknowledged.size} events were acknowledged`);
    // All would take long where the machine is busy; every seventh is a fair sample.
    for (const [key, stored] of [...acknowledged].filter((_, index) => index % 7 === 0)) {
      const again = await append(running, key);
      assert.deepEqual(
        [again?.id, again?.sequence, again?.row_hash],
        [stored.id, stored.sequence, stored.row_hash],
        key,
      );
    }
    assert.equal(new Set([...acknowledged.values()].map(({ sequence }) => sequence)).size, acknowledged.size);
    const verified = await verdict(dataDir);
    assert.equal(verified.ok, true, JSON.stringify(verified));
    assert.ok(verified.events >= acknowledged.size);
    assert.equal(await running.stop(), 0);
  });
});
