import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the bench tells a server's process at its start. */
export interface Setup {
  readonly dataDir: string;
  readonly issuer: string;
  readonly mcp: string;
  readonly tenants: readonly string[];
  /** Bodies that the bare server answers with, by method. */
  readonly answers?: { readonly list: string; readonly call: string };
}

export interface Usage {
  /** Microseconds of CPU since the process began. */
  readonly cpu: number;
  readonly rssBytes: number;
}

/** Runs a server in this process for the bench that forked it: it is told its setup and asked for its usage. */
export function contend(start: (setup: Setup) => Promise<Server> | Server): void {
  const serve = async (setup: Setup): Promise<void> => {
    const server = await start(setup);
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
    process.on('message', () => {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpu: user + system, rssBytes: process.memoryUsage.rss() } satisfies Usage);
    });
  };
  process.once('message', (setup: Setup) => void serve(setup));
  process.on('disconnect', () => process.exit());
}
