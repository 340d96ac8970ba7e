import { operation } from '@steward/access';
import { field, flag, type Of, shape, versionNumber } from '@steward/contract';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { portalFail } from '../errors.ts';
import { people, reads, writes } from '../operations.ts';
import { requireTools } from './known.ts';

/** Which tools are off for everyone here, and whether an agent needs a grant of its own. Of `portal.tool_policy` named `p`. */
const policy = shape('p', {
  deniedTools: field(
    z.array(z.string().regex(/^service_[a-z0-9_]{1,56}$/, 'A tool name looks like service_list_accounts')).max(500),
  ),
  agentsNeedGrant: flag(),
  version: field(versionNumber.meta({ description: 'The version that you read and changed.' }), undefined, Number),
});
type ToolPolicy = Of<typeof policy>;

const selected = statement(`select ${policy.columns} from portal.tool_policy p`);
/** Whether a change opens anything is judged by what it replaces. */
const locked = statement(`${selected.text} for update`);
const first = { denied_tools: [], agents_need_grant: false, version: 1 };

export const readToolPolicy = operation(
  { ...reads, ...people, input: z.strictObject({}), answer: policy.answer },
  async (scope) => policy.read((await scope.read(selected))[0] ?? first),
);

/**
 * Replaces the tenant's tool policy. The same policy again changes nothing.
 * @throws Problem `version_conflict` (409) when it was changed since `version`; `invalid_request` for an unknown tool;
 *   what deciding throws, if it opens anything: at the tool endpoint the policy binds every holder of another token
 */
export const replaceToolPolicy = operation(
  {
    ...writes,
    ...people,
    input: z.strictObject(policy.answer.shape),
    answer: policy.answer,
    errors: ['version_conflict'],
  },
  async (
    scope,
    wanted,
    {
      decider,
      identity,
      toolNames,
      withdrawAll,
    }: Pick<PortalPorts, 'decider' | 'identity' | 'toolNames' | 'withdrawAll'>,
  ) => {
    requireTools(toolNames, '/deniedTools', wanted.deniedTools);
    return scope.write(async (tx) => {
      const denied = [...new Set(wanted.deniedTools)].toSorted();
      const before = policy.read((await tx.query(locked))[0] ?? first);
      if (before.version === wanted.version) {
        // An event and a new version for nothing would make every action that somebody reads out of date.
        if (isSame(before, { ...wanted, deniedTools: denied })) return before;
        if (opens(before, wanted)) decider.requireFor(tx.context);
      }
      await tx.mark();
      const [row] = await tx.query(
        statement(
          `update portal.tool_policy p set denied_tools = $1::text[], agents_need_grant = $2, version = version + 1
           where version = $3::int returning ${policy.columns}`,
          [denied, wanted.agentsNeedGrant, wanted.version],
        ),
      );
      if (row === undefined)
        throw portalFail(
          'version_conflict',
          'Somebody changed the policy after that version: read it again before you replace it.',
        );
      await identity.changed(tx);
      const after = policy.read(row);
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
  },
);

/** Proposals of agents that are shut out from now on because they have no grant. */
async function withdrawUngranted(withdrawAll: PortalPorts['withdrawAll'], tx: TenantTransaction): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    sql`select agent_id as id from portal.agent_grant where revoked_at is null and suspended_at is null`,
  );
  const granted = new Set(rows.map(({ id }) => id));
  await withdrawAll(tx, ({ granteeId }) =>
    granteeId !== undefined && !granted.has(granteeId) ? 'grant_missing' : undefined,
  );
}

const isSame = (before: ToolPolicy, after: ToolPolicy): boolean =>
  before.agentsNeedGrant === after.agentsNeedGrant && before.deniedTools.join() === after.deniedTools.join();

const opens = (before: ToolPolicy, after: ToolPolicy): boolean =>
  (before.agentsNeedGrant && !after.agentsNeedGrant) ||
  before.deniedTools.some((name) => !after.deniedTools.includes(name));
