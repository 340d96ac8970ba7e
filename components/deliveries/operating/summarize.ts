import { sql, type SqlPool } from '@steward/sql';

/** Webhooks of all tenants in one status for one reason. */
export interface WebhookCount extends Record<string, unknown> {
  readonly status: string;
  readonly reason: string | null;
  readonly endpoints: number;
  readonly failing: number;
  /** At most 10,000 of each are counted. */
  readonly waiting: number;
  readonly oldest_at: Date | null;
}

/** One that fails or does not send: by its ids, without its address. */
export interface StuckWebhook extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly failures: number;
  readonly failing_since: Date | null;
  readonly error: string | null;
}

/** Numbers over all tenants; no addresses. */
export const summarize = async (pool: Pick<SqlPool, 'query'>): Promise<WebhookCount[]> =>
  pool.query<WebhookCount>(
    sql`select status, reason, endpoints, failing, waiting, oldest_at from deliveries.summary()`,
  );

/** Those that fail for longest come first. */
export const stuckWebhooks = async (pool: Pick<SqlPool, 'query'>, most: number): Promise<StuckWebhook[]> =>
  pool.query<StuckWebhook>(sql`
    select tenant_id, endpoint_id, status, reason, failures, failing_since, error from deliveries.stuck(${most}::int)`);
