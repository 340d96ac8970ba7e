import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintToken } from '@steward/identity/provider';
import { newId } from '@steward/kernel';
import { type Bench, interleave, type Row, sized } from './report.ts';
import { messageOf } from './child.ts';
import { called } from './tools/catalogue.ts';
import type { Setup, Usage } from './tools/contestant.ts';
import { ask, drive, wire } from './tools/drive.ts';

const contestants = ['steward', 'bare', 'sdk-v1', 'sdk-v2'] as const;
type Contestant = (typeof contestants)[number];
type Method = 'tools/list' | 'tools/call';

const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const params = { 'tools/list': { _meta: meta }, 'tools/call': { name: called, arguments: { limit: 5 }, _meta: meta } };

const closeRounds = sized(21);
const farRounds = sized(5);
/** Requests a round: enough CPU time for the clock, little enough for the peers. */
const share: Record<Contestant, number> = {
  steward: sized(2500, 50),
  bare: sized(2500, 50),
  'sdk-v1': sized(24, 8),
  'sdk-v2': sized(40, 8),
};
/** Rounds before the first that counts: until then the compiler is still at work. */
const warmUp = sized(8);
const connections = 8;

export default {
  name: 'Tool endpoint, requests a server CPU-second',
  run: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steward-bench-'));
    const running: ChildProcess[] = [];
    try {
      return await compare(dataDir, running);
    } finally {
      await Promise.all(running.map(ended));
      await rm(dataDir, { recursive: true, force: true });
    }
  },
} satisfies Bench;

async function compare(dataDir: string, running: ChildProcess[]): Promise<Row[]> {
  const tenants = Array.from({ length: sized(10_000, 100) }, newId);
  const few = tenants.slice(0, 10);
  // The server learns its own address only by listening, so Host names this one.
  const mcp = 'http://tools.example/mcp';
  const issuer = 'http://tools.example/idp';
  const setup: Setup = { dataDir, issuer, mcp, tenants };
  const token = await mintToken({ dataDir, issuer, audiences: [mcp], user: 'alice@example.com' });
  const requestOf = (port: number, method: Method, tenant: string, version = revision): Buffer =>
    wire(
      port,
      '/mcp',
      {
        host: 'tools.example',
        authorization: `Bearer ${token}`,
        'x-tenant-id': tenant,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(method === 'tools/call' ? { 'mcp-name': called } : {}),
        'x-bench': method === 'tools/list' ? 'list' : 'call',
      },
      JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: params[method] }),
    );
  const start = async (contestant: Contestant, told: Setup): Promise<Running> => {
    const child = fork(new URL(`tools/${contestant}.ts`, import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(dataDir, 'compiled') },
    });
    running.push(child);
    child.send(told);
    const { port } = await messageOf<{ port: number }>(child);
    return { child, port };
  };

  // A first start compiles; what is measured starts as an installed server does.
  const { child } = await start('steward', setup);
  await ended(child);
  const steward = await start('steward', setup);
  const answers = {
    list: await ask(steward.port, requestOf(steward.port, 'tools/list', few[0] ?? '')),
    call: await ask(steward.port, requestOf(steward.port, 'tools/call', few[0] ?? '')),
  };
  const servers: Record<Contestant, Running> = {
    steward,
    bare: await start('bare', { ...setup, tenants: [], answers }),
    'sdk-v1': await start('sdk-v1', { ...setup, tenants: [] }),
    'sdk-v2': await start('sdk-v2', { ...setup, tenants: [] }),
  };
  const measure = async (contestant: Contestant, method: Method, among: readonly string[]): Promise<number> => {
    const { child, port } = servers[contestant];
    // Version 1 knows the legacy revisions alone; it reads the same body.
    const version = contestant === 'sdk-v1' ? '2025-11-25' : revision;
    const prepared = among.map((tenant) => requestOf(port, method, tenant, version));
    const count = share[contestant];
    const before = await usageOf(child);
    await drive(port, connections, count, (index) => prepared[index % prepared.length] ?? Buffer.alloc(0));
    const after = await usageOf(child);
    return count / ((after.cpu - before.cpu) / 1e6);
  };

  const report: Row[] = [];
  for (const method of ['tools/list', 'tools/call'] as const) {
    const rate = async (contestant: Contestant): Promise<number> => measure(contestant, method, few);
    for (const contestant of contestants) await rate(contestant);
    for (let round = 0; round < warmUp; round += 1) for (const fast of ['steward', 'bare'] as const) await rate(fast);
    // Apart from the slow peers, after which the fast two would meet with caches that are not theirs.
    const close = await interleave(closeRounds, { steward: () => rate('steward'), bare: () => rate('bare') });
    const far = await interleave(farRounds, {
      steward: () => rate('steward'),
      'sdk-v1': () => rate('sdk-v1'),
      'sdk-v2': () => rate('sdk-v2'),
    });
    const over = method === 'tools/list' ? 50 : 10;
    report.push(
      compared(`${method} against bare node:http with ready answers`, close.steward, close.bare, 0.8),
      compared(`${method} against the official SDK v1`, far.steward, far['sdk-v1'], over),
      compared(`${method} against the official SDK v2`, far.steward, far['sdk-v2'], over),
    );
  }
  await measure('steward', 'tools/list', tenants);
  const spread = await interleave(farRounds, {
    few: async () => measure('steward', 'tools/list', few),
    many: async () => measure('steward', 'tools/list', tenants),
  });
  const { rssBytes } = await usageOf(steward.child);
  report.push(
    {
      name: 'tools/list: cost among 10 000 tenants against 10',
      ratio: spread.few / spread.many,
      bar: { atMost: 1.2 },
      detail: `${Math.round(spread.many)} against ${Math.round(spread.few)}`,
    },
    {
      name: 'memory under the list load, MB',
      ratio: rssBytes / 1e6,
      bar: { atMost: 160 },
      detail: 'resident set, after every load above',
    },
  );
  return report;
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

const compared = (name: string, own: number, other: number, atLeast: number): Row => ({
  name,
  ratio: own / other,
  bar: { atLeast },
  detail: `${Math.round(own)} against ${Math.round(other)}`,
});

async function ended(child: ChildProcess): Promise<void> {
  if (!child.connected) return;
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  return messageOf<Usage>(child);
}
