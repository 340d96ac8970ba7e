import { afterAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { administerMembers } from '../permissions.ts';
import { presentInvitation, type Invitation } from './invitation.ts';

/** A page of invitations, newest first. */
export async function listInvitations(
  context: TenantContext,
  { limit, cursor }: PageRequest,
): Promise<Page<Invitation>> {
  const rows = await context.require(administerMembers).read(sql`
    select * from portal.invitation
    where invitation_id < ${cursor ?? afterAllIds}::uuid
    order by invitation_id desc limit ${limit + 1}::int`);
  return page(rows, limit, presentInvitation, ({ id }) => id);
}
