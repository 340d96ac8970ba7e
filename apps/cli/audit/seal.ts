import { isDay } from '@steward/archive/format';
import { readChain } from '@steward/audit';
import { isId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';

/** `audit seal --day`: seals what is over up to that day; exit 0, or 1 where something could not be sealed. */
export async function sealCommand(
  { day, tenant }: { day: string; tenant: string | undefined },
  env: CommandEnvironment,
): Promise<number> {
  if (!isDay(day) || day < '0001') throw new UsageError('Say up to which UTC day: --day YYYY-MM-DD.');
  if (tenant !== undefined && !isId(tenant)) throw new UsageError('--tenant is the id of a tenant.');
  return withInstance(env, async ({ archive, pool, operator }) => {
    const [now] = await pool.query<{ today: string }>(
      sql`select (clock_timestamp() at time zone 'UTC')::date::text as today`,
    );
    if (now === undefined || day >= now.today)
      throw new RangeError(`${day} is not over: by the clock of the database it is ${now?.today} (UTC).`);
    if (tenant !== undefined && (await readChain(operator(tenant), {})).head === null)
      throw new RangeError('There is no such tenant.');
    const { days, platformDays, refused } = await archive.seal({ through: day, tenant });
    for (const { message } of refused) console.error(message);
    console.log(`${days} days of tenants and ${platformDays} of the platform sealed, up to ${day}.`);
    return refused.length === 0 ? 0 : 1;
  });
}
