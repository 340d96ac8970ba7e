import { fail } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { readApprovalPolicy } from './policy.ts';

/**
 * Whether one person may do at once, by another door, what a tool of tier `approval` does: not where the tenant's policy
 * has two people or a limit for that tool, since only asking for it counts who decided and how much that makes today.
 * @throws Problem `conflict` (409) that names the tool to ask with
 */
export async function requireAlone(context: TenantContext, tool: string): Promise<void> {
  const rule = (await readApprovalPolicy(context)).tools[tool];
  if (rule?.fourEyes === true || rule?.fourEyesAbove !== undefined || rule?.fourEyesAboveDaily !== undefined)
    throw fail('conflict', `The approval policy may want two people for this: ask for it with the tool ${tool}.`);
}
