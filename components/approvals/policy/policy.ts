import { operation } from '@steward/access';
import { type Fixed, versionNumber } from '@steward/contract';
import { fail } from '@steward/kernel';
import { type Row, sql, type Statement } from '@steward/sql';
import { canonicalJson, digest, type Money } from '@steward/tools';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { event } from '../events.ts';
import type { Deps } from '../deps.ts';
import { changesPolicy, deciding, readsPolicy } from '../operations.ts';
import { money } from './money.ts';
import { noCommand } from './no-command.ts';

const limits = z
  .array(money)
  .max(60)
  .refine((list) => new Set(list.map(({ currency }) => currency)).size === list.length, 'Give each currency once');

const toolRule = z.strictObject({
  tier: z
    .literal('approval')
    .optional()
    .meta({ description: 'true: calls of this tool, of tier write, need approval too.' }),
  fourEyes: z.boolean().optional().meta({ description: 'Two people must approve, whatever the amount.' }),
  fourEyesAbove: limits
    .optional()
    .meta({ description: 'Two people must approve one action above this amount. Replaces the general limit.' }),
  fourEyesAboveDaily: limits
    .optional()
    .meta({ description: 'Two people must approve once the actions of this tool on one UTC day exceed this sum.' }),
});

const document = z.strictObject({
  expiryHours: z
    .int()
    .min(1)
    .max(720)
    .meta({ description: 'How long an action waits for approval. Afterwards it expires and never takes effect.' }),
  fourEyesAbove: limits.meta({
    description:
      'Applies to money that leaves the organization through any tool. Up to this amount one person is enough; above it ' +
      'two people must approve. A currency that is not listed always needs two. Debts settled without money count too ' +
      'where their currency is listed. An amount in a foreign currency counts in that currency and in the base currency.',
  }),
  fourEyesAboveDaily: limits.meta({
    description:
      'The same limit for the sum of a UTC day, over all tools and other doors. A currency that is not listed uses its ' +
      'fourEyesAbove.',
  }),
  newPayeeFourEyes: z.boolean().meta({
    description:
      'Two people must approve the first payment to a payee, to an account of the ledger, or to nobody who is named.',
  }),
  soleApprover: z.boolean().meta({
    description:
      'true: where two people are needed and only one member could approve, that member is enough. false: the action ' +
      'waits until there is a second approver.',
  }),
  tools: z.record(
    z.string().regex(/^service_[a-z0-9_]{1,56}$/, 'A tool name looks like service_list_accounts'),
    toolRule,
  ),
});

export const approvalPolicy = document.extend({
  version: versionNumber
    .or(z.literal(0))
    .meta({ description: 'The version that you read and changed; 0 if the policy was never set.' }),
});

export type ApprovalPolicy = Fixed<z.output<typeof approvalPolicy>>;

/** Safe with nothing configured: one person for everything but money going out, which takes two. */
const initial: ApprovalPolicy = {
  expiryHours: 72,
  fourEyesAbove: [],
  fourEyesAboveDaily: [],
  newPayeeFourEyes: true,
  soleApprover: false,
  tools: {},
  version: 0,
};

type PolicyRow = {
  readonly tenant_id: string;
  readonly version: number;
  /** JSON, as it is sealed. */
  readonly document: string;
  readonly seal: string;
};

export const selectPolicy: Statement = sql`select tenant_id, version, document, seal from approvals.policy`;

/** The policy as an owner set it, and whether it is: a row that is not as this application wrote it is none, and says only which version it has. */
function setIn({ seals }: Pick<Deps, 'seals'>, row: Row | undefined): { policy: ApprovalPolicy; broken: boolean } {
  if (row === undefined) return { policy: initial, broken: false };
  const { tenant_id: tenant, version, document: text, seal } = row as PolicyRow;
  if (!seals.holds(seal, 'policy', sealed(tenant, version, text)))
    return { policy: { ...initial, version }, broken: true };
  return { policy: { ...initial, ...(JSON.parse(text) as object), version }, broken: false };
}

/** What holds: the policy, and while nobody knows what an owner set, two people for every command, until an owner sets it again. */
export function policyOf({ seals, commands }: Pick<Deps, 'seals' | 'commands'>, row: Row | undefined): ApprovalPolicy {
  const { policy, broken } = setIn({ seals }, row);
  if (!broken) return policy;
  const two = { tier: 'approval', fourEyes: true } as const;
  return { ...policy, tools: Object.fromEntries([...commands.keys()].map((name) => [name, two])) };
}

const sealed = (tenant: string, version: number, document: string): readonly unknown[] => [tenant, version, document];

export const readApprovalPolicy = operation(
  { ...readsPolicy, input: z.strictObject({}), answer: approvalPolicy, errors: ['insufficient_role'] },
  async (scope, _input, deps: Pick<Deps, 'seals'>) => setIn(deps, (await scope.read(selectPolicy))[0]).policy,
);

/**
 * Replaces the tenant's approval policy. Pending actions are bound to the old one: they get new previews before
 * anybody can approve them. The same policy again changes nothing.
 * @throws Problem `policy_changed` (409) when it was changed since `version`; `invalid_request` for an unknown command; and what deciding throws
 */
export const replaceApprovalPolicy = operation(
  { ...changesPolicy, input: approvalPolicy, answer: approvalPolicy, errors: [...deciding, 'policy_changed'] },
  async (
    scope,
    { version, ...given },
    {
      commands,
      toolNames,
      decider,
      identity,
      seals,
    }: Pick<Deps, 'commands' | 'toolNames' | 'decider' | 'identity' | 'seals'>,
  ) => {
    decider.requireFor(scope.context);
    const unknown = Object.keys(given.tools).find((name) => !commands.has(name));
    if (unknown !== undefined) {
      const pointer = `/tools/${unknown}`;
      const detail = noCommand(unknown, { toolNames });
      throw fail('invalid_request', `The body is not valid: ${pointer}: ${detail}`, {
        errors: [{ pointer, code: 'unknown_tool', detail }],
      });
    }
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [before] = await tx.query(sql`
      select tenant_id, version, document, seal from approvals.policy for update`);
      const { policy: held } = setIn({ seals }, before);
      const { version: current, ...rest } = held;
      if (current === version && canonicalJson(rest) === canonicalJson(given)) return held;
      const text = canonicalJson(given);
      const seal = seals.of('policy', sealed(tenant, version + 1, text));
      const rows =
        held.version !== version
          ? []
          : await tx.query(sql`
            insert into approvals.policy as p (tenant_id, version, document, seal) values (${tenant}, 1, ${text}, ${seal})
            on conflict (tenant_id) do update set version = p.version + 1, document = excluded.document, seal = excluded.seal, changed_at = clock_timestamp()
            where p.version = ${version}::int returning tenant_id, version, document, seal`);
      const [row] = rows;
      if (row === undefined)
        throw errors(
          'policy_changed',
          'Somebody changed the policy after that version: read it again before you replace it.',
        );
      await identity.changed(tx);
      const { policy: after } = setIn({ seals }, row);
      const fields = (Object.keys(given) as (keyof typeof given)[]).filter(
        (name) => canonicalJson(held[name]) !== canonicalJson(after[name]),
      );
      tx.record(event('approvals.policy.changed', { version: after.version, fields, document_digest: digest(text) }));
      return after;
    });
  },
);

/** The limit of a currency in a list, or undefined. */
export const limitIn = (list: readonly Money[] | undefined, currency: string): Money | undefined =>
  list?.find((one) => one.currency === currency);
