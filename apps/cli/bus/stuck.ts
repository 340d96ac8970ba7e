import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';
import { idOf, withOperator } from './operator.ts';

/** `bus dead-letters`: events that were given up, and those that hold a parked tenant. */
export async function stuckCommand(
  values: { json: boolean } & Record<'consumer' | 'tenant' | 'limit', string | undefined>,
  env: CommandEnvironment,
): Promise<number> {
  const tenant = idOf('tenant', values.tenant);
  const limit = Number(values.limit ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000) throw new UsageError('--limit is 1 to 100000.');
  return withOperator(env, async (operator) => {
    const found = await operator.stuck({ consumer: values.consumer, tenant }, limit);
    if (values.json) console.log(JSON.stringify(found));
    else if (found.length === 0) console.log('Nothing is stuck.');
    else {
      for (const { kind, consumer, tenant: of, event, type, attempts, code, since } of found) {
        console.log(`${kind} ${consumer} tenant ${of} event ${event} ${type}: ${code}, ${attempts} attempts, ${since}`);
      }
    }
    return 0;
  });
}
