import { sql } from '@steward/sql';
import type { Deps } from '../deps.ts';

/** Events below a consumer's cursor that it never received. This should not happen, so an operator must look into it. */
export function alarm({ log }: Pick<Deps, 'log'>, consumer: string, events: number): void {
  log.error(
    { consumer, events },
    'bus: the cursor had passed over events that were not handed over; they were found and are handed over now',
  );
}

/** Where no round looks, because nothing is published. */
export async function findPassedOver({ tenancy, log }: Deps, consumers: readonly string[]): Promise<void> {
  const found = await tenancy.pool.query<{ name: string; passed: number }>(
    sql`select name, passed from bus.look_back_at(${consumers})`,
  );
  for (const { name, passed } of found) alarm({ log }, name, passed);
}
