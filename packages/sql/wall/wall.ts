import { createHmac, hkdfSync } from 'node:crypto';
import { ConfigError } from '@steward/kernel/config-error';
import { connectTo } from '../connection/connect.ts';
import { sql } from '../statement.ts';
import type { Transaction } from '../transaction.ts';

/** Distinguishes this application from others with its database login. */
export interface Wall {
  readonly key: Uint8Array;
  /** Of the transaction of this number, for the database to compare. */
  markOf(transaction: string): string;
}

/** @param secret at least 32 random bytes, the same in every process */
export function createWall(secret: Uint8Array): Wall {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward/sql/wall/v1', 32));
  return {
    key,
    markOf: (transaction) => createHmac('sha256', key).update(`steward/wall/v1 ${transaction}`).digest('hex'),
  };
}

/** Marks a transaction as the application's, with its next statement. One round trip; again, none. */
export function markerOf(wall: Wall | undefined, tx: Pick<Transaction, 'query' | 'later'>): () => Promise<void> {
  let mark: string | undefined;
  return async () => {
    if (wall === undefined) return;
    if (mark === undefined) {
      const [row] = await tx.query<{ number: string }>(sql`select pg_current_xact_id()::text as number`);
      mark = wall.markOf(row?.number ?? '');
    }
    // Computed each time: going back to a savepoint removes it.
    tx.later(sql`select set_config('app.mark', ${mark}, true)`);
  };
}

const differs =
  'SECRET_KEY (or, where it is not set, secret.key in DATA_DIR) is not the one that this database is served with: set that one, or let a new one in ' +
  'with `steward migrate`, SECRET_KEY and DATABASE_OWNER_URL while no other process serves.';

/**
 * Raises the wall if there is none yet.
 * @throws ConfigError if there is one with another key
 */
export async function raiseWall(url: string, wall: Wall): Promise<void> {
  const client = await connectTo(url, { applicationName: 'steward-wall', statementMilliseconds: 15_000 });
  const judged = async (): Promise<boolean | null> => {
    await client.query('begin');
    const { rows: begun } = await client.query<{ number: string }>('select pg_current_xact_id()::text as number');
    await client.query(`select set_config('app.mark', $1, true)`, [wall.markOf(begun[0]?.number ?? '')]);
    const { rows } = await client.query<{ ours: boolean | null }>('select platform.is_application() as ours');
    await client.query('commit');
    return rows[0]?.ours ?? null;
  };
  try {
    if ((await judged()) === null) await client.query('select platform.raise_wall($1)', [wall.key]);
    if ((await judged()) !== true) throw new ConfigError(differs);
  } finally {
    await client.end();
  }
}

/** Lets a new key in. @param ownerUrl the owner's login: no other may */
export async function replaceWall(ownerUrl: string, wall: Wall): Promise<void> {
  const client = await connectTo(ownerUrl, { applicationName: 'steward-wall' });
  try {
    await client.query('begin');
    await client.query('delete from platform.wall');
    await client.query('select platform.raise_wall($1)', [wall.key]);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
