import { grammar, rejectDelivery, replayDeliveries, retryDelivery } from '@steward/callbacks';
import { publish } from '@steward/bus';
import { isId, Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { timeOf } from '../bus/operator.ts';
import { UsageError } from '../command.ts';
import type { CommandEnvironment } from '../instance.ts';
import { withInstance } from '../with-instance.ts';

/** The running server looks for what is due by itself. */
const ports = { wake: () => undefined, receivers: () => [] };

async function within(
  tenant: string,
  env: CommandEnvironment,
  work: (context: TenantContext) => Promise<string>,
): Promise<number> {
  return withInstance(
    env,
    async (instance) => {
      try {
        console.log(await work(instance.operator(idOf('tenant', tenant))));
        return 0;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        console.error(error.detail);
        return 1;
      }
    },
    { grammars: [grammar], publish },
  );
}

function idOf(option: string, given: string): string {
  if (!isId(given)) throw new UsageError(`--${option} takes an id.`);
  return given;
}

/** `callbacks retry` */
export const retryCommand = async (
  { tenant, delivery }: { readonly tenant: string; readonly delivery: string },
  env: CommandEnvironment,
): Promise<number> =>
  within(tenant, env, async (context) => {
    await retryDelivery(context, { deliveryId: idOf('delivery', delivery) }, ports);
    return 'It is tried again, by the running server.';
  });

/** `callbacks reject` */
export const rejectCommand = async (
  { tenant, delivery, reason }: { readonly tenant: string; readonly delivery: string; readonly reason: string },
  env: CommandEnvironment,
): Promise<number> =>
  within(tenant, env, async (context) => {
    if (reason.trim() === '' || reason.length > 500) throw new UsageError('--reason takes 1 to 500 characters.');
    await rejectDelivery(context, { deliveryId: idOf('delivery', delivery), reason: reason.trim() });
    return 'It is given up.';
  });

interface Replay {
  readonly tenant: string;
  readonly delivery: readonly string[] | undefined;
  readonly 'from-time': string | undefined;
  readonly 'to-time': string | undefined;
}

/** `callbacks replay` */
export const replayCommand = async (given: Replay, env: CommandEnvironment): Promise<number> =>
  within(given.tenant, env, async (context) => {
    const time = (option: 'from-time' | 'to-time'): string | undefined => {
      const text = given[option];
      return text === undefined ? undefined : timeOf(option, text);
    };
    const { deliveryIds, more } = await replayDeliveries(
      context,
      {
        deliveryIds: given.delivery?.map((one) => idOf('delivery', one)),
        from: time('from-time'),
        to: time('to-time'),
      },
      ports,
    );
    return `${deliveryIds.length} are carried out again, by the running server${more ? '; there are more: give --from-time the time of the last one' : ''}.`;
  });
