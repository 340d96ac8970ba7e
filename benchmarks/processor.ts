import { readdir, readFile } from 'node:fs/promises';
import { sql, type SqlPool } from '@steward/sql';

/** The PostgreSQL that a pool is connected to. Linux only, like the others. */
export async function postmasterOf(admin: SqlPool): Promise<number> {
  const [row] = await admin.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const stat = await readFile(`/proc/${row?.pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** What it started: its connections among them. */
export async function childrenOf(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) found.push(Number(name));
  }
  return found;
}

/** Milliseconds that processes have worked so far. */
export async function cpuOf(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks * 10;
}
