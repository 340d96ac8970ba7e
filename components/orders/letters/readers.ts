import type { Identity, Member } from '@steward/identity';
import type { TenantScope } from '@steward/sql';

/** Letters about one order to members at most. */
const most = 20;

/** The members who are told of new orders: the owners. */
export async function readersIn(
  { memberships }: Pick<Identity, 'memberships'>,
  scope: Pick<TenantScope, 'read'>,
): Promise<Member[]> {
  const found: Member[] = [];
  let after: Member['principal'] | undefined;
  for (;;) {
    const page = await memberships.list(scope, { limit: 200, after });
    found.push(
      ...page.filter(
        ({ principal, role, suspendedAt }) =>
          principal.type === 'user' && role === 'owner' && suspendedAt === undefined,
      ),
    );
    after = page.at(-1)?.principal;
    if (page.length < 200 || found.length >= most) return found.slice(0, most);
  }
}

export const readerOf = ({ principal: { type, id } }: Pick<Member, 'principal'>): string => `${type}:${id}`;

/** Who is no member by an id of theirs, but an address that settings name: by its id there. */
export const addressReader = (id: string): string => `address:${id}`;
