import { sql, type TenantTransaction } from '@steward/sql';
import type { Tool } from '@steward/tools';
import { eligibleFor } from '../actions/eligible.ts';
import type { Ground } from '../ground.ts';

/** Notes, in the transaction in which an action begins to wait, whom to tell; it is sent after the commit. */
export async function oweMail(
  ground: Pick<Ground, 'identity' | 'notifies'>,
  tx: TenantTransaction,
  actionId: string,
  tool: Pick<Tool, 'requires'>,
): Promise<void> {
  if (!ground.notifies) return;
  const recipients = (await eligibleFor(ground, { read: tx.query }, tool)).map(({ principal }) => principal.id);
  await tx.query(sql`
    insert into approvals.notice (tenant_id, action_id, recipient_id)
    select ${tx.context.tenant}, ${actionId}, recipient from unnest(${recipients}::text[]) recipient
    on conflict do nothing`);
}
