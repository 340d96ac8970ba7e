import { sql, type SqlPool } from '@steward/sql';

/** How many deliveries of a receiver have a standing that is not carried out. Times: RFC 3339. */
interface Standing {
  readonly receiver: string;
  readonly status: string;
  readonly deliveries: number;
  readonly firstAt: string;
}

/** A delivery that belongs to no tenant. */
interface Unclaimed {
  readonly receiver: string;
  readonly provider: string;
  readonly account: string;
  readonly topic: string;
  readonly receivedAt: string;
}

/** For operators, over all tenants: what is not carried out, and the last that belongs to nobody. */
export async function callbackSummary(
  pool: Pick<SqlPool, 'read'>,
): Promise<{ readonly standings: readonly Standing[]; readonly unclaimed: readonly Unclaimed[] }> {
  const standings = await pool.read<{ receiver: string; status: string; deliveries: bigint; first_at: Date }>(
    sql`select receiver, status, deliveries, first_at from callbacks.summary() order by receiver, status`,
  );
  const unclaimed = await pool.read<{
    receiver: string;
    provider: string;
    account: string;
    topic: string;
    received_at: Date;
  }>(sql`select receiver, provider, account, topic, received_at from callbacks.unclaimed(20)`);
  return {
    standings: standings.map(({ first_at: at, deliveries, ...one }) => ({
      ...one,
      deliveries: Number(deliveries),
      firstAt: at.toISOString(),
    })),
    unclaimed: unclaimed.map(({ received_at: at, ...one }) => ({ ...one, receivedAt: at.toISOString() })),
  };
}
