import { connectTo } from '@steward/sql/connect';
import type pg from 'pg';

/** Says how to reach the log, and at which moment to see it. Plain data, for threads. */
export interface Access {
  /** The owner's login, or any that may act as the verifier role. */
  readonly ownerUrl: string;
  /** The role that reads, where it is known already. */
  readonly role?: string;
  /** An exported snapshot; without one the reader takes its own. */
  readonly snapshot?: string;
}

/** A connection in one read-only transaction as the verifier role, which sees every tenant and changes nothing. */
export async function openReader({ ownerUrl, role, snapshot }: Access): Promise<pg.Client> {
  const client = await connectTo(ownerUrl, { applicationName: 'steward-audit-verify' });
  try {
    const name = role ?? (await verifierRole(client));
    await client.query('begin isolation level repeatable read read only');
    if (snapshot !== undefined) await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`);
    await client.query(`set local role ${client.escapeIdentifier(name)}`);
    // The keys of a part are sorted: in memory, while they fit. A table that somebody locks is not waited for without end.
    await client.query(
      "set local timezone = 'UTC'; set local statement_timeout = 0; set local lock_timeout = '10s'; set local jit = off; set local work_mem = '32MB'",
    );
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Loaded when it is needed: a thread gets the name, and starts sooner without the rest of the package. */
async function verifierRole(client: pg.Client): Promise<string> {
  const { jobRoleOf } = await import('@steward/sql');
  return jobRoleOf(client, 'audit_verifier');
}
