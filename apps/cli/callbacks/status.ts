import { callbackSummary } from '@steward/callbacks';
import type { CommandEnvironment } from '../instance.ts';
import { withInstance } from '../with-instance.ts';

/** `callbacks status`: what is not carried out, over all tenants; exit 1 where something needs a person. */
export async function statusCommand({ json }: { json: boolean }, env: CommandEnvironment): Promise<number> {
  return withInstance(env, async ({ pool }) => {
    const { standings, unclaimed } = await callbackSummary(pool);
    if (json) console.log(JSON.stringify({ standings, unclaimed }));
    else {
      if (standings.length === 0) console.log('Everything that providers reported is carried out.');
      for (const { receiver, status, deliveries, firstAt } of standings)
        console.log(`${receiver}: ${deliveries} ${status}, the first since ${firstAt}`);
      for (const { provider, account, topic, receivedAt } of unclaimed)
        console.log(
          `of no tenant: ${provider} ${topic} of account ${account === '' ? '(none)' : account}, ${receivedAt}`,
        );
    }
    return standings.some(({ status }) => status === 'dead' || status === 'conflicting') ? 1 : 0;
  });
}
