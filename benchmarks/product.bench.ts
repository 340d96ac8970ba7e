import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createProcessWorld } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';
import { type Bench, interleave, type Row, sized } from './report.ts';
import { messageOf } from './child.ts';
import type { BareReadSetup } from './product/bare-read.ts';
import { drive, wire } from './tools/drive.ts';

const rounds = sized(7);
const requests = sized(1_500, 100);
const lists = sized(20_000, 100);
const connections = 16;

export default {
  name: 'The whole server: a tool through PostgreSQL, and memory',
  run: async () => {
    await using world = await createProcessWorld();
    // As every start but the first, which compiles everything: 20 MB more.
    await world.server.kill();
    await world.restart();
    const { tenant, token } = await world.signUp('bench@example.com', 'Bench');
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    await admin.query(sql`analyze accounting.account`);
    const [owner] = await admin.query<{ id: string }>(
      sql`select principal_id as id from identity.member where tenant_id = ${tenant}::uuid`,
    );
    const bare = fork(new URL('product/bare-read.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    bare.send({
      databaseUrl: world.db.appUrl,
      tenant,
      subject: { type: 'user', id: owner?.id ?? '' },
    } satisfies BareReadSetup);
    const { port: barePort } = await messageOf<{ port: number }>(bare);

    const port = Number(new URL(world.server.addresses.mcp).port);
    const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant, 'content-type': 'application/json' };
    const rpc = (method: string, params?: object): Buffer =>
      wire(port, '/mcp', headers, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const call = rpc('tools/call', { name: 'service_list_accounts', arguments: { limit: 5 } });
    const list = rpc('tools/list');
    const read = wire(barePort, '/', {}, '');
    const rate = async (at: number, request: Buffer, count = requests): Promise<number> => {
      const began = performance.now();
      await drive(at, connections, count, () => request);
      return count / ((performance.now() - began) / 1000);
    };
    const report: Row[] = [];
    for (const [at, request] of [
      [port, call],
      [barePort, read],
    ] as const)
      await rate(at, request);
    const { steward, plain } = await interleave(rounds, {
      steward: async () => rate(port, call),
      plain: async () => rate(barePort, read),
    });
    report.push({
      name: 'service_list_accounts against the same read in one round trip without the protocol',
      ratio: steward / plain,
      bar: { atLeast: 0.6 },
      detail: `${Math.round(steward)} against ${Math.round(plain)} requests a second`,
    });
    const listed = await rate(port, list, lists);
    const pid = world.server.child.pid ?? 0;
    // 52 of it are Node's own program, shared by all its processes; 60 the heap, of which 19 are the texts of modules and 15 what
    // is compiled of them; 22 what Node and OpenSSL allocate. 160 would take modules that nobody imports until they are used.
    report.push({
      name: 'memory under the list load, MB',
      ratio: await residentMegabytes(pid),
      bar: { atMost: 180 },
      detail: `without the development provider, at ${Math.round(listed)} lists a second`,
    });
    await fetch(`${world.server.issuer}/.well-known/openid-configuration`);
    await rate(port, list, lists);
    report.push({
      name: 'memory under the list load, MB',
      ratio: await residentMegabytes(pid),
      bar: { atMost: 210 },
      detail: 'with the development provider',
    });
    bare.disconnect();
    return report;
  },
} satisfies Bench;

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
}
