import { owe, renew } from '@steward/mail';
import type { TenantTransaction } from '@steward/sql';
import type { Tool } from '@steward/tools';
import { eligibleFor } from '../actions/eligible.ts';
import type { Deps } from '../deps.ts';

/** Whose emails they are, to the mail component. */
export const component = 'approvals';

/** Everybody who got an email that these wait gets another one that they do not; nobody else gets any. */
export const oweNews = async (tx: TenantTransaction, actionIds: readonly string[]): Promise<void> =>
  renew(tx, component, actionIds);

/** Queues emails to approvers in the transaction in which an action becomes pending; they are sent after the commit. */
export async function queueMail(
  deps: Pick<Deps, 'identity' | 'notifies'>,
  tx: TenantTransaction,
  actionId: string,
  tool: Pick<Tool, 'requires'>,
): Promise<void> {
  if (!deps.notifies) return;
  const readers = (await eligibleFor(deps, { read: tx.query }, tool)).map(({ principal }) => principal.id);
  await owe(tx, { by: component, about: actionId, readers });
}
