import { versionNumber } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, type Row, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { portalFail } from '../errors.ts';
import { administerTenant, readTenant } from '../permissions.ts';

/** Which tools are off for everyone here, and whether an agent needs a grant of its own. */
export const toolPolicy = z.strictObject({
  deniedTools: z
    .array(z.string().regex(/^service_[a-z0-9_]{1,56}$/, 'A tool name looks like service_list_accounts'))
    .max(500),
  agentsNeedGrant: z.boolean(),
  version: versionNumber.meta({ description: 'The version this change was made from.' }),
});

export type ToolPolicy = z.infer<typeof toolPolicy>;

const present = (row: Row | undefined): ToolPolicy => ({
  deniedTools: (row?.['denied_tools'] as string[] | undefined) ?? [],
  agentsNeedGrant: row?.['agents_need_grant'] === true,
  version: Number(row?.['version'] ?? 1),
});

/** As it stands in this transaction. */
async function readPolicyIn(tx: TenantTransaction): Promise<ToolPolicy> {
  return present((await tx.query(sql`select denied_tools, agents_need_grant, version from portal.tool_policy`))[0]);
}

export async function readToolPolicy(context: TenantContext): Promise<ToolPolicy> {
  const [row] = await context
    .require(readTenant)
    .read(sql`select denied_tools, agents_need_grant, version from portal.tool_policy`);
  return present(row);
}

/**
 * Replaces the tenant's tool policy.
 * @throws Problem `version_conflict` (409) when it was changed since `version`; `invalid_request` for an unknown tool;
 *   where it opens anything, what deciding throws: the policy binds over the tool endpoint whoever holds any other token
 */
export async function replaceToolPolicy(
  {
    decider,
    identity,
    toolNames,
    withdrawAll,
  }: Pick<PortalPorts, 'decider' | 'identity' | 'toolNames' | 'withdrawAll'>,
  context: TenantContext,
  policy: ToolPolicy,
): Promise<ToolPolicy> {
  const unknown = policy.deniedTools.findIndex((name) => !toolNames.has(name));
  if (unknown >= 0) {
    throw fail('invalid_request', `There is no tool ${policy.deniedTools[unknown]}.`, {
      errors: [{ pointer: `/deniedTools/${unknown}`, code: 'unknown_tool', detail: 'There is no such tool.' }],
    });
  }
  return context.require(administerTenant).write(async (tx) => {
    const denied = [...new Set(policy.deniedTools)].toSorted();
    const before = await readPolicyIn(tx);
    if (before.version === policy.version && opens(before, policy)) decider.requireFor(context);
    await tx.mark();
    const [row] = await tx.query(sql`
      update portal.tool_policy set denied_tools = ${denied}::text[], agents_need_grant = ${policy.agentsNeedGrant}, version = version + 1
      where version = ${policy.version}::int returning denied_tools, agents_need_grant, version`);
    if (row === undefined)
      throw portalFail('version_conflict', 'The policy was changed since that version: read it again and decide anew.');
    await identity.changed(tx);
    const after = present(row);
    if (after.agentsNeedGrant && !before.agentsNeedGrant) await withdrawUngranted(withdrawAll, tx);
    tx.record(
      event('portal.tool_policy.changed', {
        denied_tools: after.deniedTools,
        agents_need_grant: after.agentsNeedGrant,
        version: after.version,
      }),
    );
    return after;
  });
}

/** What agents had proposed that are shut out from now on for want of a grant. */
async function withdrawUngranted(withdrawAll: PortalPorts['withdrawAll'], tx: TenantTransaction): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    sql`select agent_id as id from portal.agent_grant where revoked_at is null and suspended_at is null`,
  );
  const granted = new Set(rows.map(({ id }) => id));
  await withdrawAll(tx, ({ granteeId }) =>
    granteeId !== undefined && !granted.has(granteeId) ? 'grant_missing' : undefined,
  );
}

const opens = (before: ToolPolicy, after: ToolPolicy): boolean =>
  (before.agentsNeedGrant && !after.agentsNeedGrant) ||
  before.deniedTools.some((name) => !after.deniedTools.includes(name));
