import type { Role } from '@steward/access';
import type { Identity, Member } from '@steward/identity';
import { fail } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { administerMembers } from '../permissions.ts';

/**
 * The member with an e-mail address or id, as an agent names one.
 * @throws Problem `not_found` (404); `conflict` (409) where several have that address
 */
export async function memberNamed(identity: Identity, context: TenantContext, given: string): Promise<Member> {
  const scope = context.require(administerMembers);
  const wanted = given.trim().toLowerCase();
  const found: Member[] = [];
  let after: Member['principal'] | undefined;
  for (;;) {
    const page = await identity.memberships.list(scope, { limit: 200, after });
    found.push(...page.filter(({ principal, email }) => principal.id === given || email?.toLowerCase() === wanted));
    after = page.at(-1)?.principal;
    if (page.length < 200) break;
  }
  const [member, ...others] = found;
  if (member === undefined)
    throw fail('not_found', 'No member has this e-mail address or id: check the spelling, or ask an owner.');
  if (others.length > 0)
    throw fail(
      'conflict',
      `Several members match: give one id, ${found.map(({ principal }) => principal.id).join(' or ')}.`,
    );
  return member;
}

/** Somebody as people know them, for a preview. */
export const shownMember = ({ principal, displayName, email }: Member) => ({
  name: displayName ?? null,
  email: email ?? null,
  kind: principal.type === 'service' ? ('machine' as const) : ('person' as const),
  id: principal.id,
});

/** What a role may do, in words for the person who gives it. */
export const roleInWords: Readonly<Record<Role, string>> = {
  owner: 'may do everything, appoint and remove others, and approve payments',
  admin: 'may do everything except appoint or remove owners, and may approve payments',
  accountant: 'keeps the books, and may approve payments',
  merchandiser: 'keeps brands, contacts and commerce; approves nothing',
  developer: 'keeps sites, keys and forms; approves nothing',
  viewer: 'reads; changes and approves nothing',
};
