import { fork, type ChildProcess } from 'node:child_process';
import { messageOf } from '../child.ts';
import { call, postOf } from './caller.ts';

export interface Contestant extends Disposable {
  /** Requests answered for each second of the server's own CPU time, over one round. */
  round(milliseconds: number): Promise<number>;
  /** Requests a second in the rounds so far, by the wall clock. */
  readonly throughput: readonly number[];
}

const callers = 32;

/** The fields that the contract shows. */
const query = `query ($limit: Int) {
  auditEvents(limit: $limit) {
    id type eventVersion grammar source occurredAt causalId correlationId
    principalChain { principalType principalId }
  }
}`;
const request = postOf('/graphql', JSON.stringify({ query, variables: { limit: 20 } }));

/** Starts one; it answers from memory unless there is a `url` of a database. */
export async function start(name: 'steward' | 'yoga' | 'graphql-http', tenant: string, url = ''): Promise<Contestant> {
  const child = fork(new URL('./server.ts', import.meta.url), [name, tenant, url]);
  const { port } = await messageOf<{ port: number }>(child);
  const throughput: number[] = [];
  expectEvents((await call(port, request, () => false)).last);
  return {
    throughput,
    round: async (milliseconds) => {
      const before = await usage(child);
      const started = performance.now();
      const going = (): boolean => performance.now() - started < milliseconds;
      // The database needs the other core for itself.
      if (url === '') stayAwake(going);
      const done = await Promise.all(Array.from({ length: callers }, async () => call(port, request, going)));
      const answered = done.reduce((sum, one) => sum + one.answered, 0);
      throughput.push((answered / (performance.now() - started)) * 1_000);
      return (answered / ((await usage(child)) - before)) * 1e6;
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}

/** A caller that sleeps is woken by the server's write, whose CPU time then is the machine's and not the server's. */
function stayAwake(going: () => boolean): void {
  if (going()) setImmediate(() => stayAwake(going));
}

/** Microseconds of CPU time, user and system. */
async function usage(child: ChildProcess): Promise<number> {
  child.send('usage');
  const used = await messageOf<NodeJS.CpuUsage>(child);
  return used.user + used.system;
}

function expectEvents(answer: string): void {
  const ids = answer.match(/"id":"[0-9a-f-]{36}"/g)?.length;
  const principals = answer.match(/"principalId":"assistant-1"/g)?.length;
  if (ids !== 20 || principals !== 20) throw new Error(`these are not twenty events: ${answer.slice(0, 600)}`);
}
