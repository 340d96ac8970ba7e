import pg from 'pg';
import { jobRole, quote } from '@steward/sql';

/** Says how to reach the log, and at which moment to see it. Plain data, for threads. */
export interface Access {
  /** The owner's login, or any that may act as the verifier role. */
  readonly ownerUrl: string;
  /** An exported snapshot; without one the reader takes its own. */
  readonly snapshot?: string;
}

/** A connection in one read-only transaction as the verifier role, which sees every tenant and changes nothing. */
export async function openReader({ ownerUrl, snapshot }: Access): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'steward-audit-verify' });
  // Its queries fail as well; without a listener a connection that breaks would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query('begin isolation level repeatable read read only');
    if (snapshot !== undefined) await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`);
    await client.query(`set local role ${quote(jobRole(rows[0]?.name ?? '', 'audit_verifier'))}`);
    await client.query("set local timezone = 'UTC'; set local statement_timeout = 0; set local jit = off");
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
