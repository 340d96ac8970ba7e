import type { CommandEnvironment } from '../instance.ts';
import { withOperator } from './operator.ts';

/** `bus acknowledge`: ends the alarm about events that a consumer's cursor had skipped. */
export async function acknowledgeCommand({ consumer }: { consumer: string }, env: CommandEnvironment): Promise<number> {
  return withOperator(env, async (operator) => {
    const events = await operator.acknowledge(consumer);
    console.log(events === 0n ? 'Nothing had been passed over.' : `${events} events passed over: acknowledged.`);
    return 0;
  });
}
