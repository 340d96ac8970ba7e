import { createLog, type Addresses } from '@steward/kernel';
import { readConfig } from '@steward/server/components';
import { startServer } from '@steward/server/server';

/** A server of a world. */
export interface Serving {
  readonly addresses: Addresses;
  readonly issuer: string;
  readonly internalUrl: string;
  /** What it logged, and as a process also what it said else. */
  readonly output: () => string;
}

/** The whole server with exactly these variables, in this process: one of its own takes longer to load it than most tests run. */
export async function serve(env: Readonly<Record<string, string>>): Promise<Serving & AsyncDisposable> {
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'warn', DRAIN_SECONDS: '0', ...env });
  let output = '';
  const log = createLog(config.logLevel, { write: (line) => void (output += line) });
  const {
    addresses,
    issuer,
    internalUrl,
    [Symbol.asyncDispose]: stop,
  } = await startServer(config, new AbortController().signal, log);
  return { addresses, issuer, internalUrl, output: () => output, [Symbol.asyncDispose]: stop };
}
