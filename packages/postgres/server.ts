import type { LogFile } from './log-file.ts';
import type { Postmaster } from './postmaster.ts';
import { sendSignal } from './processes.ts';
import { reasons } from './program.ts';
import type { Runtime } from './runtime.ts';
import { connectionUrl } from './settings.ts';
import { stopPostmaster } from './stop.ts';

/** A running PostgreSQL server of our own. Disposing stops it. */
export interface EmbeddedServer extends AsyncDisposable {
  /** url of the superuser on the database `postgres`; the same after a restart, except where it is TCP */
  readonly adminUrl: string;
  /** the cluster was made by this start */
  readonly created: boolean;
  /** the last stop was not clean and this start replayed the log */
  readonly recovered: boolean;
  /** the cluster's real directory */
  readonly location: string;
  /** process id of the server (its postmaster) */
  readonly pid: number;
  /** resolves with a sentence when the server ends without having been asked to; else stays open */
  readonly died: Promise<string>;
  /** ends the sessions, writes the checkpoint, waits for the end and frees the data folder; idempotent */
  stop(): Promise<void>;
}

interface Running {
  readonly postmaster: Postmaster;
  readonly runtime: Runtime;
  readonly location: string;
  readonly password: string;
  readonly created: boolean;
  readonly recovered: boolean;
  readonly logFile: LogFile;
  /** released when the server has ended */
  readonly resources: AsyncDisposableStack;
}

export function serve(running: Running): EmbeddedServer {
  const { postmaster, runtime, location, logFile, resources } = running;
  const { child, pid } = postmaster;
  const { promise: died, resolve: reportDeath } = Promise.withResolvers<string>();
  let stopping: Promise<void> | undefined;

  child.once('exit', (code, signal) => {
    process.removeListener('exit', onExit);
    if (stopping !== undefined) return;
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    const words = logFile.tail().trim();
    const last = words === '' ? '' : `; its last words: ${reasons(words)}`;
    reportDeath(`PostgreSQL (process id ${pid}) ended unexpectedly ${how}${last}; see ${logFile.path}.`);
  });
  // a program that ends without stopping the server must not leave it running
  const onExit = (): void => sendSignal(pid, 'SIGINT');
  process.once('exit', onExit);
  // the server alone does not keep a program running
  child.unref();

  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      await stopPostmaster(child, runtime, location);
      await resources.disposeAsync();
    })();
    return stopping;
  };

  return {
    adminUrl: connectionUrl(postmaster.endpoint, running.password),
    created: running.created,
    recovered: running.recovered,
    location,
    pid,
    died,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
