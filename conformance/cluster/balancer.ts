import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Databases } from './databases.ts';
import { freePorts, start, until } from './processes.ts';

export interface Balancer extends AsyncDisposable {
  /** Leads to the database that leads, and ends the connections to one that leads no more. */
  readonly closing: number;
  /** The same, and leaves them. */
  readonly keeping: number;
  /** Leads to the processes of ours that are ready, in turn. */
  readonly web: number;
  /** Resolves once it leads to one of our processes, by its port. */
  leadsTo(port: number): Promise<void>;
}

/** HAProxy, as small as it gets: it asks Patroni who leads, and our processes whether they are ready. */
export async function startBalancer(
  program: string,
  folder: string,
  { nodes }: Databases,
  processes: readonly number[],
): Promise<Balancer> {
  const [closing = 0, keeping = 0, web = 0, status = 0] = await freePorts(4);
  const leader = (name: string, port: number, more: string): string => `
listen ${name}
  mode tcp
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 ${more}
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.statusPort}`).join('\n')}
`;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `
defaults
  timeout connect 2s
  timeout client 10m
  timeout server 10m
  timeout check 10s
${leader('closing', closing, 'on-marked-down shutdown-sessions')}${leader('keeping', keeping, '')}
listen status
  mode http
  bind 127.0.0.1:${status}
  stats enable
  stats uri /
listen web
  mode http
  bind 127.0.0.1:${web}
  retries 0
  option httpchk GET /readyz
  default-server inter 200ms fall 1 rise 1
${processes.map((port) => `  server p${port} 127.0.0.1:${port} check`).join('\n')}
`,
  );
  const haproxy = start(program, ['-db', '-f', file], join(folder, 'haproxy.log'));
  await until('HAProxy listens', async () => (await fetch(`http://127.0.0.1:${web}/healthz`)).status > 0);
  return {
    closing,
    keeping,
    web,
    leadsTo: async (port) => {
      await until(`the balancer leads to ${port}`, async () => {
        const table = await (await fetch(`http://127.0.0.1:${status}/;csv`)).text();
        return table.split('\n').some((line) => line.startsWith(`web,p${port},`) && line.split(',')[17] === 'UP');
      });
    },
    [Symbol.asyncDispose]: async () => haproxy.kill(),
  };
}
