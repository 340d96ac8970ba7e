import { statement, type TenantContext } from '@steward/sql';
import { overseeActions } from '../permissions.ts';

/** Whether an action that waits for people, or is about to be carried out, has one of these ids in its arguments. */
export async function isAwaited(context: TenantContext, ids: readonly string[]): Promise<boolean> {
  const rows = await context.require(overseeActions).read(
    statement(
      `select from approvals.action a where a.tenant_id = $1::uuid and a.state in ('pending', 'approved')
         and exists (select from unnest($2::text[]) id where strpos(a.arguments, id) > 0) limit 1`,
      [context.tenant, ids],
    ),
  );
  return rows.length > 0;
}
