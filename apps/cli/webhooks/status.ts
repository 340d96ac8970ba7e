import { stuckWebhooks, summarizeWebhooks, type StuckWebhook, type WebhookCount } from '@steward/deliveries';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `webhooks status`: how many webhooks send, wait and fail, over all tenants; no addresses. Exit 1 where one was stopped for its failures. */
export async function statusCommand({ json }: { json: boolean }, env: CommandEnvironment): Promise<number> {
  return withInstance(env, async ({ pool }) => {
    const counts = await summarizeWebhooks(pool);
    const stuck = await stuckWebhooks(pool, 50);
    console.log(json ? JSON.stringify({ counts, stuck }, null, 2) : described(counts, stuck));
    return counts.some(({ reason }) => reason === 'failing' || reason === 'gone' || reason === 'abandoned') ? 1 : 0;
  });
}

function described(counts: readonly WebhookCount[], stuck: readonly StuckWebhook[]): string {
  if (counts.length === 0) return 'There are no webhooks.';
  return [
    ...counts.map(
      ({ status, reason, endpoints, failing, waiting, oldest_at }) =>
        `${status.padEnd(10)}${endpoints}${reason === null ? '' : ` ${reason}`}, ${failing} fail, ${waiting} events wait${oldest_at === null ? '' : `, the oldest since ${oldest_at.toISOString()}`}`,
    ),
    ...stuck.map(
      ({ tenant_id, endpoint_id, status, reason, failures, failing_since, error }) =>
        `  tenant ${tenant_id} webhook ${endpoint_id} ${status}${reason === null ? '' : ` (${reason})`}, ${failures} failures${failing_since === null ? '' : ` since ${failing_since.toISOString()}`}${error === null ? '' : `, ${error}`}`,
    ),
  ].join('\n');
}
