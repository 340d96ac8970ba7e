import type { TenantContext } from '@steward/sql';
import type { Tool } from '@steward/tools';
import type { Deps } from '../deps.ts';
import { readActions } from '../permissions.ts';
import { availableFor, shortage, type Available } from './available.ts';
import { votedAs } from './eligible.ts';
import type { DescribedAction, ShownAction } from './schema.ts';

/** One query for all of them, and two more where some wait for two people. */
export async function described(
  { commands, identity, seals }: Pick<Deps, 'commands' | 'identity' | 'seals'>,
  context: TenantContext,
  actions: readonly ShownAction[],
): Promise<DescribedAction[]> {
  const named = actions.map(({ requestedBy, approvals, edits, decidedBy }) => [
    ...requestedBy.map(({ id }) => id),
    ...approvals.map(({ approver }) => approver),
    ...edits.map(({ editor }) => editor),
    ...(decidedBy === null ? [] : [decidedBy]),
  ]);
  const people = named.flat().map((id) => ({ type: 'user', id }) as const);
  const agents = actions.flatMap(({ requestedBy }) => requestedBy.filter(({ type }) => type === 'agent'));
  const known = await identity.memberships.names(context, [...people, ...agents]);
  const available = await availableFor({ commands, identity, seals }, context.require(readActions), actions);
  return actions.map((action, at) => ({
    ...action,
    title: commands.get(action.tool)?.tool.title ?? action.tool,
    final: commands.get(action.tool)?.tool.final ?? false,
    names: Object.fromEntries(
      (named[at] ?? []).flatMap((id) => {
        const name = known.get(`user:${id}`);
        return name === undefined ? [] : [[id, name]];
      }),
    ),
    // Apart from members: whoever decides goes by the ids of agents, which nobody chose, and a name stands beside its id.
    agentNames: Object.fromEntries(
      action.requestedBy.flatMap(({ type, id }) => {
        const name = type === 'agent' ? known.get(`agent:${id}`) : undefined;
        return name === undefined ? [] : [[id, name]];
      }),
    ),
    available: countedIn(action, available.get(action.tool), commands.get(action.tool)?.tool),
  }));
}

function countedIn(
  { state, approvalsNeeded, approvals }: ShownAction,
  available: Available | undefined,
  tool: Tool | undefined,
): DescribedAction['available'] {
  if (available === undefined || state !== 'pending' || approvalsNeeded < 2) return null;
  const { approvers, alone } = available;
  const counting = approvals.filter(({ approver, at }) =>
    approvers.some((one) => one.principal.id === approver && votedAs(one, Date.parse(at))),
  ).length;
  const short = tool === undefined ? undefined : shortage(available, tool);
  return { approvers: approvers.length, counting, alone, shortage: short ?? null };
}
