import { Gauge, type Metrics } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';

/** When the whole log was last verified, read from the database whenever metrics are collected. */
export function verificationMetrics({ registry }: Pick<Metrics, 'registry'>, pool: Pick<SqlPool, 'query'>): void {
  const gauge: Gauge<'outcome'> = new Gauge({
    name: 'steward_audit_last_verification_timestamp_seconds',
    help: 'When the whole log was last verified, by what came of it: verified, or findings; 0 where it never was.',
    labelNames: ['outcome'],
    registers: [registry],
    collect: async () => {
      try {
        const [row] = await pool.query<{ verified: number; findings: number }>(
          sql`select coalesce(extract(epoch from max(at) filter (where ok)), 0)::float8 as verified,
            coalesce(extract(epoch from max(at) filter (where not ok)), 0)::float8 as findings
            from audit.verification where kind = 'log' and at <= clock_timestamp()`,
        );
        gauge.set({ outcome: 'verified' }, row?.verified ?? 0);
        gauge.set({ outcome: 'findings' }, row?.findings ?? 0);
      } catch {
        // The other metrics are needed most while the database is away, so this one keeps its last value.
      }
    },
  });
}
