import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';

/** Deletes all stock of tests, its reservations and movements: the next test begins with what is on hand then. @returns whether there was any */
export async function forgetTests(tx: TenantTransaction): Promise<boolean> {
  const [row] = await tx.query<{ o_levels: number; o_movements: number }>(
    sql`select o_levels, o_movements from stock.forget_tests()`,
  );
  const { o_levels: levels = 0, o_movements: movements = 0 } = row ?? {};
  if (levels > 0) tx.record(event('commerce.stock.tests_deleted', { levels, movements }));
  return levels > 0;
}
