import type { TenantContext } from '@steward/sql';
import type { Ground } from '../ground.ts';
import { readActions } from '../permissions.ts';
import { availableFor, type Available } from './available.ts';
import type { ShownAction } from './present.ts';

/** An action with what people call its tool and those it names. */
export interface DescribedAction extends ShownAction {
  readonly title: string;
  /** Display names by id, of members only. */
  readonly names: Readonly<Record<string, string>>;
  /** Null where one person is enough, or nothing waits. */
  readonly available: Available | null;
}

/** One query for all of them, and two more where some wait for two people. */
export async function described(
  { commands, identity }: Pick<Ground, 'commands' | 'identity'>,
  context: TenantContext,
  actions: readonly ShownAction[],
): Promise<DescribedAction[]> {
  const named = actions.map(({ requestedBy, approvals, edits, decidedBy }) => [
    ...requestedBy.map(({ id }) => id),
    ...approvals.map(({ approver }) => approver),
    ...edits.map(({ editor }) => editor),
    ...(decidedBy === null ? [] : [decidedBy]),
  ]);
  const known = await identity.memberships.names(context, named.flat());
  const available = await availableFor({ commands, identity }, context.require(readActions), actions);
  return actions.map((action, at) => ({
    ...action,
    title: commands().get(action.tool)?.tool.title ?? action.tool,
    names: Object.fromEntries((named[at] ?? []).flatMap((id) => (known.has(id) ? [[id, known.get(id) ?? '']] : []))),
    available: (action.state === 'pending' && action.approvalsNeeded > 1 && available.get(action.tool)) || null,
  }));
}
