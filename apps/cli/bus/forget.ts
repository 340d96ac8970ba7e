import type { CommandEnvironment } from '../instance.ts';
import { withOperator } from './operator.ts';

/** `bus forget`: drops the place, the dead letters and the parked tenants of a consumer that is no more. */
export async function forgetCommand({ consumer }: { consumer: string }, env: CommandEnvironment): Promise<number> {
  return withOperator(env, async (operator) => {
    await operator.forget(consumer);
    console.log(
      `${consumer} is forgotten. A server that still has it begins it anew, with the oldest event that is kept.`,
    );
    return 0;
  });
}
