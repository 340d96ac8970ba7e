import { join } from 'node:path';
import { statSync } from 'node:fs';
import { chooseAccount } from './account.ts';
import { requireMajor, wasStoppedCleanly } from './control-file.ts';
import { createCluster, giveTree } from './create.ts';
import { EmbeddedError } from './errors.ts';
import { lockFolder } from './lock.ts';
import { openLogFile } from './log-file.ts';
import { endOrphans } from './orphans.ts';
import { drawPassword, readPassword } from './password.ts';
import { findPlace, openDataDir, type Place } from './place.ts';
import { startPostmaster } from './postmaster.ts';
import { prepareRuntime } from './runtime.ts';
import { type EmbeddedServer, serve } from './server.ts';
import { removeAbandoned } from './staging.ts';

export { EmbeddedError, type EmbeddedErrorCode } from './errors.ts';
export type { EmbeddedServer } from './server.ts';

export interface EmbeddedOptions {
  /** the data folder; the cluster is `postgres` in it, or what a link of that name points at */
  readonly dataDir: string;
  /** gets what an operator may want to know, one sentence a line */
  readonly log?: (line: string) => void;
  /** aborting stops what was begun and rejects with the signal's reason; it has no effect once the server runs */
  readonly signal?: AbortSignal;
  /** waited for once the folder is ours, before anything is made in it; what it rejects with ends the start, as it is */
  readonly ready?: Promise<unknown>;
}

/**
 * Starts a PostgreSQL server of our own on the data folder, and creates its cluster the first time. It listens on a
 * Unix socket in the cluster's directory, or, where that path is too long, on a free port of 127.0.0.1. One live
 * process a data folder; what a killed one left behind is put in order first.
 *
 * @throws EmbeddedError by code: see EmbeddedErrorCode. Nothing keeps running and the folder is free again.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir: wanted, log = () => {}, signal, ready } = options;
  let unready: unknown;
  signal?.throwIfAborted();
  await using undo = new AsyncDisposableStack();
  try {
    const dataDir = await openDataDir(wanted);
    const lock = await lockFolder(dataDir);
    undo.defer(() => lock.release());
    await ready?.catch((cause: unknown) => {
      unready = cause;
      throw cause;
    });

    const place = await findPlace(dataDir, (cluster) => chooseAccount(dataDir, cluster), log);
    const runtime = await prepareRuntime(dataDir, place.account);
    const endLeftOvers = (): Promise<void> => endOrphans(place.location, runtime.pgCtl, log);
    const lockCluster = async (): Promise<void> => {
      if (place.location === join(dataDir, 'postgres')) return;
      // a copy of this data folder would link to the same cluster
      const second = await lockFolder(place.location, 'steward');
      undo.defer(() => second.release());
    };
    await removeAbandoned(dataDir);
    let password: string;
    let recovered = false;
    if (place.exists) {
      requireMajor(place.location, runtime.major);
      await takeOver(place, log);
      await lockCluster();
      await endLeftOvers();
      recovered = !wasStoppedCleanly(place.location);
      if (recovered) log('PostgreSQL was not stopped in order the last time; it recovers from its log');
      password = readPassword(place.location);
    } else {
      log(`creating the database in ${place.location}`);
      password = drawPassword();
      await createCluster(place, runtime, password, signal);
      await lockCluster();
    }

    const logFile = openLogFile(join(dataDir, 'postgres.log'));
    undo.defer(() => logFile.close());
    const postmaster = await startPostmaster(place, runtime, logFile, endLeftOvers, signal);
    return serve({
      postmaster,
      runtime,
      location: place.location,
      password,
      created: !place.exists,
      recovered,
      logFile,
      resources: undo.move(),
    });
  } catch (cause) {
    if ((signal?.aborted && cause === signal.reason) || (unready !== undefined && cause === unready)) throw cause;
    throw EmbeddedError.from(cause, wanted);
  }
}

/** Root finds a cluster of root where a folder was copied or restored carelessly; the server could not read it. */
async function takeOver({ location, account }: Place, log: (line: string) => void): Promise<void> {
  const owner = statSync(location).uid;
  const runner = account?.uid ?? process.getuid?.() ?? owner;
  if (owner === runner) return;
  if (account !== undefined && owner === 0) {
    log(`handing ${location} to user ${account.uid}, under which PostgreSQL runs`);
    await giveTree(location, account);
    return;
  }
  throw new EmbeddedError(
    'data_dir_unusable',
    `The database in ${location} belongs to user ${owner}: start Steward as that user or as root, or hand the directory over with chown -R.`,
  );
}
