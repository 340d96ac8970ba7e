import type { CommandEnvironment } from '../instance.ts';
import { timeOf, withOperator } from './operator.ts';

/** `bus prune`: removes events before a moment if every consumer has handled them; otherwise exit 1. */
export async function pruneCommand(values: { before: string }, env: CommandEnvironment): Promise<number> {
  const before = timeOf('before', values.before);
  return withOperator(env, async (operator) => {
    console.log(`${await operator.prune(before)} events removed.`);
    return 0;
  });
}
