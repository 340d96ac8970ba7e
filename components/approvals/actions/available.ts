import type { Member } from '@steward/identity';
import type { TenantScope } from '@steward/sql';
import type { Tool } from '@steward/tools';
import type { Deps } from '../deps.ts';
import { policyOf, selectPolicy } from '../policy/policy.ts';
import type { ShownAction } from './schema.ts';
import { approversInWords, eligibleFor } from './eligible.ts';

/** Who there is to approve an action that takes more than one person. */
export interface Available {
  /** Members whose role lets them approve it. */
  readonly approvers: readonly Member[];
  /** Whether the policy lets one decide where there is only that one. */
  readonly alone: boolean;
}

/** By tool, of actions that wait for more than one person: for the others nobody has to ask. */
export async function availableFor(
  deps: Pick<Deps, 'commands' | 'identity' | 'seals'>,
  scope: Pick<TenantScope, 'read'>,
  actions: readonly Pick<ShownAction, 'tool' | 'state' | 'approvalsNeeded'>[],
): Promise<ReadonlyMap<string, Available>> {
  const tools = new Set(
    actions.flatMap(({ tool, state, approvalsNeeded }) => (state === 'pending' && approvalsNeeded > 1 ? [tool] : [])),
  );
  if (tools.size === 0) return new Map();
  const [row] = await scope.read(selectPolicy);
  const { soleApprover } = policyOf(deps, row);
  const found = new Map<string, Available>();
  for (const name of tools) {
    const tool = deps.commands.get(name)?.tool;
    const approvers = tool === undefined ? [] : await eligibleFor(deps, scope, tool);
    found.set(name, { approvers, alone: soleApprover && approvers.length === 1 });
  }
  return found;
}

/** What to know when an action needs two people and there are not two. */
export function shortage(available: Available | undefined, tool: Pick<Tool, 'requires'>): string | undefined {
  if (available === undefined || available.approvers.length > 1) return undefined;
  if (available.alone) return 'Only one member may approve this, and the policy lets that person decide alone.';
  const have = available.approvers.length === 0 ? 'No member' : 'Only one member';
  return (
    `${have} of the organization may approve this. It waits until an owner invites another ${approversInWords(tool)}, ` +
    'or allows the only approver to decide alone (on the page of the action, or with soleApprover of the approval ' +
    'policy).'
  );
}
