import { sql, type TenantContext } from '@steward/sql';
import { administerMembers } from '../permissions.ts';
import { presentInvitation, type Invitation } from './invitation.ts';

/** A page of invitations, newest first; `after` is the last id of the page before. */
export async function listInvitations(
  context: TenantContext,
  page: { limit: number; after?: string | undefined },
): Promise<{ items: Invitation[]; nextCursor: string | null }> {
  const rows = await context.require(administerMembers).read(sql`
    select * from portal.invitation
    where ${page.after ?? null}::uuid is null or invitation_id < ${page.after ?? null}::uuid
    order by invitation_id desc limit ${page.limit + 1}::int`);
  const items = rows.slice(0, page.limit).map(presentInvitation);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}
