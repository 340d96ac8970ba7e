import { sql, type TenantTransaction } from '@steward/sql';
import type { Deps } from '../deps.ts';
import { isCast } from './vote.ts';

/** Whether an action that was carried out names the caller: as who asked for it, or as one of those who approved it. */
export async function names(deps: Pick<Deps, 'seals'>, tx: TenantTransaction, id: string): Promise<boolean> {
  const { tenant, subject } = tx.context;
  const [[action] = [], votes = []] = await tx.queryAll([
    sql`
      select preview_hash, subject_type, subject_id from approvals.action
      where tenant_id = ${tenant} and action_id = ${id}::uuid and state = 'executed'`,
    sql`
      select approver_id as approver, preview_hash, seal from approvals.vote
      where tenant_id = ${tenant} and action_id = ${id}::uuid and approver_id = ${subject.id}`,
  ]);
  if (action === undefined || subject.type !== 'user') return false;
  if (action['subject_type'] === subject.type && action['subject_id'] === subject.id) return true;
  const previewHash = String(action['preview_hash']);
  return votes.some((row) => row['preview_hash'] === previewHash && isCast(deps, { tenant, id, previewHash }, row));
}
