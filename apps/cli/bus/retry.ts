import type { CommandEnvironment } from '../instance.ts';
import { idOf, withOperator } from './operator.ts';

/** `bus retry`: tries dead letters again and continues parked tenants. */
export async function retryCommand(
  values: { consumer: string } & Record<'tenant' | 'event', string | undefined>,
  env: CommandEnvironment,
): Promise<number> {
  const { consumer } = values;
  const of = { tenant: idOf('tenant', values.tenant), event: idOf('event', values.event) };
  return withOperator(env, async (operator) => {
    const { letters, tenants } = await operator.retry(consumer, of);
    console.log(
      letters + tenants === 0
        ? 'There was nothing to retry.'
        : `${letters} dead letters are tried again and ${tenants} parked tenants go on, by the running server.`,
    );
    return 0;
  });
}
