import { mentioning } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { actionOf, columns, named } from './action.ts';
import { noteErasure } from './erasures.ts';
import { end, follow } from './settle.ts';

/**
 * Erases arguments, previews, edits and results of actions that contain one of these texts: ids, and addresses as a whole. Who decided
 * what and when stays, and so do the digests. Pending actions are rejected and approved ones fail, because they would bring the data
 * back. Answers how many.
 * @param except tools whose actions contain only ids
 */
export async function eraseMentions(
  tx: TenantTransaction,
  texts: readonly string[],
  except: readonly string[],
): Promise<number> {
  const { tenant } = tx.context;
  await tx.mark();
  await noteErasure(tx);
  const facts = await eraseFacts(tx, texts);
  const found = await tx.query(
    statement(
      `select ${columns}, array[a.arguments, a.summary, a.preview, a.reason, a.result, (
         select string_agg(e.difference, ' ') from approvals.edit e
         where e.tenant_id = a.tenant_id and e.action_id = a.action_id)] as said
       from approvals.action a
       where a.tenant_id = $1::uuid and a.tool <> all ($2::text[]) and exists (
         select from unnest($3::text[]) t
         where strpos(lower(concat_ws(' ', a.arguments, a.summary, a.preview, a.reason, a.result)), lower(t)) > 0
           or exists (select from approvals.edit e where e.tenant_id = a.tenant_id and e.action_id = a.action_id
             and strpos(lower(e.difference), lower(t)) > 0))
       order by a.action_id for update of a`,
      [tenant, except, texts],
    ),
  );
  const mentions = mentioning(texts);
  const actions = found
    .filter(({ said }) => (said as readonly (string | null)[]).some((one) => mentions(one ?? '')))
    .map(actionOf);
  const ids = actions.map(({ id }) => id);
  if (ids.length === 0) return facts.length;
  for (const action of actions) {
    if (action.state === 'pending') {
      await follow(tx, action, event('approvals.action.rejected', named(action)));
      await tx.query(sql`
        update approvals.action set state = 'rejected', decided_by = ${tx.context.caller.id}, reason = 'erased',
          decided_at = clock_timestamp(), settled_at = clock_timestamp()
        where tenant_id = ${tenant}::uuid and action_id = ${action.id}::uuid`);
    } else if (action.state === 'approved')
      await end(tx, action, 'failed', event('approvals.action.failed', { ...named(action), code: 'erased' }), {
        code: 'erased',
        reason: 'erased',
      });
    tx.record(event('approvals.action.erased', named(action)));
  }
  await tx.query(sql`select approvals.erase_actions(${ids}::uuid[])`);
  return new Set([...ids, ...facts]).size;
}

/** Facts are about people whose action says nothing of them: a payment, to an address that is theirs, or their erasure itself. */
async function eraseFacts(tx: TenantTransaction, texts: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ action_id: string; tool: string; said: string }>(sql`
    select action_id, tool, concat_ws(' ', facts, drift) as said from approvals.action a
    where tenant_id = ${tx.context.tenant}::uuid and exists (
      select from unnest(${texts}::text[]) t where strpos(lower(concat_ws(' ', a.facts, a.drift)), lower(t)) > 0)
    order by action_id for update`);
  const mentions = mentioning(texts);
  const found = rows.filter(({ said }) => mentions(said));
  const ids = found.map(({ action_id }) => action_id);
  if (ids.length > 0) await tx.query(sql`select approvals.erase_facts(${ids}::uuid[])`);
  for (const { action_id, tool } of found) tx.record(event('approvals.action.facts_erased', { action_id, tool }));
  return ids;
}
