import type { Identity } from '@steward/identity';
import { sql } from '@steward/sql';
import { stopWebhook } from '../endpoints/stop.ts';
import { oweLetters } from '../letters/owe.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { itself } from './context.ts';

export interface GivingUp extends Pick<DeliveriesPorts, 'tenancy'> {
  readonly identity: Pick<Identity, 'memberships'>;
}

/**
 * Stops a webhook that takes nothing, and tells its members: `gone` disables it, `failing` pauses it with everything that waits. Whether it is
 * still so is asked under its lock.
 */
export async function giveUpOn(
  ports: GivingUp,
  tenant: string,
  webhookId: string,
  reason: 'gone' | 'failing',
): Promise<void> {
  await itself(ports, tenant).write(async (tx) => {
    const [row] = await tx.query<{ status: string; signing: string }>(sql`
      select status, signing from deliveries.endpoint
      where tenant_id = ${tenant}::uuid and endpoint_id = ${webhookId}::uuid for no key update`);
    if (row?.status !== 'active') return;
    const { version } = await stopWebhook(tx, webhookId, reason === 'gone' ? 'disabled' : 'paused', reason);
    // Nobody here can mend what the profile of an agent says.
    if (row.signing !== 'rfc9421') await oweLetters(tx, ports, { webhookId, reason, version });
  });
}
