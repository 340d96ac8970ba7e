import { parseArgs } from 'node:util';
import type { CommandEnvironment } from '../instance.ts';
import { consumerOf, withOperator } from './operator.ts';

/** `bus acknowledge`: what a consumer had passed over is known, and `bus status` tells of it no more. */
export async function acknowledgeCommand(args: string[], env: CommandEnvironment): Promise<number> {
  const { values } = parseArgs({ args, options: { consumer: { type: 'string' } } });
  const consumer = consumerOf(values.consumer);
  return withOperator(env, async (operator) => {
    const events = await operator.acknowledge(consumer);
    console.log(events === 0n ? 'Nothing had been passed over.' : `${events} events passed over: acknowledged.`);
    return 0;
  });
}
