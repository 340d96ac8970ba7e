import { parseArgs } from 'node:util';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../usage.ts';
import { timeOf, withOperator } from './operator.ts';

/** `bus prune`: removes events before a moment that every consumer has had; exit 1 where one has not. */
export async function pruneCommand(args: string[], env: CommandEnvironment): Promise<number> {
  const { values } = parseArgs({ args, options: { before: { type: 'string' } } });
  if (values.before === undefined) throw new UsageError('Say what: --before and a day or a moment.');
  const before = timeOf('before', values.before);
  return withOperator(env, async (operator) => {
    console.log(`${await operator.prune(before)} events removed.`);
    return 0;
  });
}
