import type { SqlPool } from '@steward/sql';
import { childrenOf, cpuOf, postmasterOf } from './processor.ts';

/** Milliseconds of CPU that one of some pieces of work took, by side. */
export interface Spent {
  readonly server: number;
  readonly database: number;
}

export const sumOf = ({ server, database }: Spent): number => server + database;

/** Does something `count` times, four at a time. @returns what one took; `pid` serves them */
export type Spend = (pid: number, count: number, one: (n: number) => Promise<unknown>) => Promise<Spent>;

const callers = 4;

export async function spender(admin: SqlPool): Promise<Spend> {
  const postmaster = await postmasterOf(admin);
  return async (pid, count, one) => {
    const database = new Map<number, number>();
    for (const child of await childrenOf(postmaster)) database.set(child, await cpuOf([child]));
    const before = pid === process.pid ? process.cpuUsage() : undefined;
    const began = await cpuOf([pid]);
    let next = 0;
    const call = async (): Promise<void> => {
      while (next < count) await one(next++);
    };
    await Promise.all(Array.from({ length: callers }, call));
    const { user, system } = process.cpuUsage(before);
    const server = before === undefined ? (await cpuOf([pid])) - began : (user + system) / 1000;
    let worked = 0;
    for (const child of await childrenOf(postmaster)) worked += (await cpuOf([child])) - (database.get(child) ?? 0);
    return { server: server / count, database: worked / count };
  };
}
