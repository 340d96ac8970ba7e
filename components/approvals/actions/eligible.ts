import type { CallerRole } from '@steward/access';
import type { Member } from '@steward/identity';
import type { TenantScope } from '@steward/sql';
import type { Outcome, Tool } from '@steward/tools';
import type { Deps } from '../deps.ts';
import { decideActions } from '../permissions.ts';

/** The people whose role lets them approve this tool, as of this scope. */
export async function eligibleFor(
  { identity }: Pick<Deps, 'identity'>,
  scope: Pick<TenantScope, 'read'>,
  tool: Pick<Tool, 'requires'>,
): Promise<Member[]> {
  const found: Member[] = [];
  let after: Member['principal'] | undefined;
  for (;;) {
    const page = await identity.memberships.list(scope, { limit: 200, after });
    found.push(
      ...page.filter(
        ({ principal, role, suspendedAt }) =>
          principal.type === 'user' && suspendedAt === undefined && mayApprove(tool, role),
      ),
    );
    after = page.at(-1)?.principal;
    if (page.length < 200) return found;
  }
}

/** Approving takes a role that may decide, and that could have called the tool itself. */
export const mayApprove = ({ requires }: Pick<Tool, 'requires'>, role: string): boolean =>
  decideActions.roles.has(role as CallerRole) && requires.roles.has(role as CallerRole);

/**
 * The same tool with the roles that may decide this very call of it: who may be appointed by whom depends on what is asked.
 * @param outcome of its rehearsal
 */
export function decidedBy(tool: Tool, args: unknown, outcome: Outcome): Pick<Tool, 'name' | 'requires'> {
  const roles = tool.approval?.appoints?.(args, outcome);
  return roles === undefined ? tool : { name: tool.name, requires: { ...tool.requires, roles: new Set(roles) } };
}

/** In words, for those who ask. */
export function approversInWords({ requires }: Pick<Tool, 'requires'>): string {
  const roles = [...decideActions.roles].filter((role) => mayApprove({ requires }, role));
  return roles.length === 0 ? 'nobody' : new Intl.ListFormat('en', { type: 'disjunction' }).format(roles);
}
