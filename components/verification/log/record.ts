import { connectTo, jobRoleOf, quote } from '@steward/sql';

export interface Verification {
  /** The whole log, or one tenant of it. */
  readonly kind: 'log' | 'tenant';
  readonly ok: boolean;
  /** For people. */
  readonly detail: string;
}

/** Records a verification and its outcome: a metric shows how long ago it was. */
export async function recordVerification(ownerUrl: string, { kind, ok, detail }: Verification): Promise<void> {
  const client = await connectTo(ownerUrl, { applicationName: 'steward-audit-verify' });
  try {
    await client.query(`set role ${quote(await jobRoleOf(client, 'audit_verifier'))}`);
    await client.query('insert into audit.verification (kind, ok, detail) values ($1, $2, $3)', [kind, ok, detail]);
  } finally {
    await client.end();
  }
}
