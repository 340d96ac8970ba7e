import type { CommandEnvironment } from '../instance.ts';
import { withOperator } from './operator.ts';

/** `bus status`: how far each consumer is; exit 1 where something waits for an operator. */
export async function statusCommand({ json }: { json: boolean }, env: CommandEnvironment): Promise<number> {
  return withOperator(env, async (operator) => {
    const states = await operator.status();
    if (json) console.log(JSON.stringify(states));
    else if (states.length === 0) console.log('No consumer has been enrolled yet: start the server once.');
    else {
      for (const one of states) {
        const waiting = one.waiting >= 10_000 ? '10000 or more' : String(one.waiting);
        console.log(
          `${one.consumer}: ${waiting} events wait, lag ${one.lagSeconds.toFixed(1)} s, ${one.behind} tenants behind, ` +
            `${one.parked} parked, ${one.deadLetters} dead letters, ${one.passedOver} passed over, moved ${one.movedAt}`,
        );
      }
    }
    return states.some(({ parked, deadLetters, passedOver }) => parked + deadLetters + passedOver > 0) ? 1 : 0;
  });
}
