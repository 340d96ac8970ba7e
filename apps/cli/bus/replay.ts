import type { Start } from '@steward/bus';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';
import { idOf, timeOf, withOperator } from './operator.ts';

/** `bus replay`: a consumer has events again, from a point on. */
export async function replayCommand(
  values: { consumer: string; 'from-beginning': boolean } & Record<
    'tenant' | 'from-time' | 'from-event',
    string | undefined
  >,
  env: CommandEnvironment,
): Promise<number> {
  const { consumer } = values;
  const tenant = idOf('tenant', values.tenant);
  const event = idOf('from-event', values['from-event']);
  const time = values['from-time'] === undefined ? undefined : timeOf('from-time', values['from-time']);
  const starts: Start[] = [
    ...(time === undefined ? [] : [{ time }]),
    ...(event === undefined ? [] : [{ event }]),
    ...(values['from-beginning'] ? [{ beginning: true } as const] : []),
  ];
  const [start] = starts;
  if (start === undefined || starts.length > 1) {
    throw new UsageError('Say from where: one of --from-time, --from-event and --from-beginning.');
  }
  return withOperator(env, async (operator) => {
    const events = await operator.replay(consumer, start, tenant);
    console.log(`${consumer} has ${events} events again, and all that follow, from the running server.`);
    return 0;
  });
}
