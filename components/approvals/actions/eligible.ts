import type { CallerRole } from '@steward/access';
import type { Member, Origin } from '@steward/identity';
import type { TenantScope } from '@steward/sql';
import type { Outcome, Tool } from '@steward/tools';
import type { Deps } from '../deps.ts';
import { decideActions } from '../permissions.ts';

/** The people whose role lets them approve this tool, as of this scope. */
export const eligibleFor = async (
  deps: Pick<Deps, 'identity'>,
  scope: Pick<TenantScope, 'read'>,
  tool: Pick<Tool, 'requires'>,
): Promise<Member[]> => eligibleOf(await peopleOf(deps, scope), tool);

export const eligibleOf = (people: readonly Member[], tool: Pick<Tool, 'requires'>): Member[] =>
  people.filter(({ role }) => mayApprove(tool, role));

/** Members that are people and not suspended. */
export async function peopleOf(
  { identity }: Pick<Deps, 'identity'>,
  scope: Pick<TenantScope, 'read'>,
): Promise<Member[]> {
  const found: Member[] = [];
  let after: Member['principal'] | undefined;
  for (;;) {
    const page = await identity.memberships.list(scope, { limit: 200, after });
    found.push(...page.filter(({ principal, suspendedAt }) => principal.type === 'user' && suspendedAt === undefined));
    after = page.at(-1)?.principal;
    if (page.length < 200) return found;
  }
}

/** Whether a vote of then, in milliseconds, is of the membership that somebody has now: whoever left and came back has not cast it as that. */
export const votedAs = ({ addedAt }: Pick<Member, 'addedAt'>, at: number): boolean => Date.parse(addedAt) <= at;

/**
 * Whether two people are there because of the same one, or one because of the other: an administrator could make a second approver of their own.
 * Whoever stood between them and left, or is suspended, did so still, and so does whoever brought somebody back. An owner is there by themselves, and
 * so are those whom an owner or the founder brought.
 */
export function haveOneOrigin(origins: ReadonlyMap<string, Origin>, a: string, b: string): boolean {
  const isOwner = (id: string): boolean => origins.get(id)?.role === 'owner';
  /** Somebody and whom they are there because of. */
  const lineOf = (id: string): ReadonlySet<string> => {
    const line = new Set([id]);
    for (const one of line)
      for (const by of origins.get(one)?.broughtBy ?? []) {
        const origin = origins.get(by);
        if (origin !== undefined && !origin.owned && origin.broughtBy.size > 0) line.add(by);
      }
    return line;
  };
  return !isOwner(a) && !isOwner(b) && !lineOf(a).isDisjointFrom(lineOf(b));
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
