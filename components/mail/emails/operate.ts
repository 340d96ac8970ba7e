import { sql, type SqlPool } from '@steward/sql';

/** Emails in one state, and for one reason where they were given up. Sent ones: of the last day. */
export interface MailCount extends Record<string, unknown> {
  readonly state: 'queued' | 'dead' | 'sent';
  readonly reason: string | null;
  readonly letters: number;
  readonly first_at: Date | null;
  readonly last_at: Date | null;
}

export interface GivenUp extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly letter_id: string;
  /** `smtp_550`, `etimedout`, `never_tried`, `bad_address` … */
  readonly reason: string;
  readonly attempts: number;
  readonly settled_at: Date;
  /** Whether there is still something to send. */
  readonly kept: boolean;
}

/** Numbers and times over all tenants; neither recipients nor contents. */
export const summarizeMail = async (pool: Pick<SqlPool, 'query'>): Promise<MailCount[]> =>
  pool.query<MailCount>(sql`select state, reason, letters, first_at, last_at from mail.summary()`);

/** The last emails that were given up, `most` at most. */
export const emailsGivenUp = async (pool: Pick<SqlPool, 'query'>, most: number): Promise<GivenUp[]> =>
  pool.query<GivenUp>(sql`select tenant_id, letter_id, reason, attempts, settled_at, kept from mail.given_up(${most})`);

/** Emails that were given up are due again, as if new; answers how many. */
export async function retryMail(
  pool: Pick<SqlPool, 'query'>,
  only: { readonly tenant?: string | undefined; readonly reason?: string | undefined },
): Promise<number> {
  const [row] = await pool.query<{ again: number }>(
    sql`select mail.requeue(${only.tenant ?? null}::uuid, ${only.reason ?? null}::text) as again`,
  );
  return row?.again ?? 0;
}
