import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError } from './errors.ts';

/** Where pg_control keeps the cluster's state (`ControlFileData.state`), and the states of a clean stop. */
const STATE_OFFSET = 16;
const CLEAN = new Set([0, 1, 2]);

/**
 * Whether the server was stopped in order; else the next start replays its log.
 *
 * @throws EmbeddedError `data_dir_unusable`
 */
export function wasStoppedCleanly(location: string): boolean {
  try {
    return CLEAN.has(readFileSync(join(location, 'global', 'pg_control')).readUInt32LE(STATE_OFFSET));
  } catch (cause) {
    throw new EmbeddedError(
      'data_dir_unusable',
      `The database in ${location} is damaged (pg_control cannot be read): restore it from a backup.`,
      { cause },
    );
  }
}

/** @throws EmbeddedError `wrong_version` */
export function requireMajor(location: string, major: string): void {
  const found = readFileSync(join(location, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  throw new EmbeddedError(
    'wrong_version',
    `${location} holds the data of PostgreSQL ${found}, and this Steward brings ${major}: dump it with PostgreSQL ${found} (pg_dumpall) and load it into a new DATA_DIR, or set DATABASE_URL to a PostgreSQL ${found} server that serves it.`,
  );
}
