import { ConfigError, text, type Source } from '@steward/kernel';

type PlanVariable = 'PLANS' | 'AFTER_TRIAL';

/** What a billing tier lets a tenant do: `read`, `export`, `decide` (about pending actions), `write`, `approval` (propose). */
export const entitlements = ['read', 'export', 'decide', 'write', 'approval'] as const;
export type Entitlement = (typeof entitlements)[number];

/** What a tier may bound: bytes of files attached, submissions and audit events kept, files taken at the same time. */
const quotas = ['attachmentBytes', 'submissions', 'events', 'uploads'] as const;

export interface Plan {
  readonly entitlements: ReadonlySet<string>;
  /** Above those that a tier of this name has by itself. */
  readonly quotas?: Readonly<Partial<Record<(typeof quotas)[number], number>>>;
}

export interface Plans {
  /** By the name of the tier. `free`, `trial` and `community` are always among them. */
  readonly tiers: Readonly<Record<string, Plan>>;
  /** The tier of a tenant whose trial is over. */
  readonly afterTrial: string;
}

const everything = { entitlements: new Set(entitlements) };

/** `free`: what is a tenant's stays readable and exportable, and what waits can be decided. */
const always = {
  free: { entitlements: new Set(['read', 'export', 'decide'] as const) },
  trial: everything,
  community: everything,
} as const satisfies Plans['tiers'];

/**
 * `PLANS`, a JSON object of tiers, over those that are always there; and `AFTER_TRIAL`.
 * @throws ConfigError naming the tier or entitlement at fault
 */
export function readPlans(env: Source<PlanVariable>): Plans {
  const tiers: Plans['tiers'] = { ...always, ...Object.fromEntries(Object.entries(given(env)).map(planOf)) };
  const named = text(env, 'AFTER_TRIAL');
  // Nothing charges anybody here yet: an installation without billing would lock its tenants out for ever.
  const afterTrial = named === '' ? 'community' : named;
  if (!settled(tiers).includes(afterTrial))
    throw new ConfigError(`AFTER_TRIAL must be a tier other than trial: ${settled(tiers).join(', ')}.`);
  return { tiers, afterTrial };
}

/** The tiers that a tenant may be moved to: every one but the trial. */
export const settled = (tiers: Plans['tiers']): readonly string[] =>
  Object.keys(tiers).filter((tier) => tier !== 'trial');

function given(env: Source<PlanVariable>): object {
  const source = text(env, 'PLANS');
  if (source === '') return {};
  try {
    const plans = JSON.parse(source) as unknown;
    if (typeof plans === 'object' && plans !== null && !Array.isArray(plans)) return plans;
  } catch {
    // Reported below.
  }
  throw new ConfigError('PLANS must be a JSON object, such as {"pro": {"entitlements": ["read", "write"]}}.');
}

function planOf([tier, plan]: [string, unknown]): [string, Plan] {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(tier))
    throw new ConfigError(`PLANS: ${tier} cannot name a tier: use 1 to 40 of a-z, 0-9 and _, beginning with a letter.`);
  const { entitlements: named, quotas: bounds = {}, ...others } = (plan ?? {}) as Record<string, unknown>;
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw new ConfigError(`PLANS: the tier ${tier} has unknown members: ${unknown.join(', ')}. Remove them.`);
  if (!Array.isArray(named) || !named.every(isEntitlement))
    throw new ConfigError(`PLANS: the entitlements of ${tier} must be a list of ${entitlements.join(', ')}.`);
  if (typeof bounds !== 'object' || bounds === null || !Object.entries(bounds).every(isQuota))
    throw new ConfigError(`PLANS: the quotas of ${tier} must be whole numbers for ${quotas.join(', ')}.`);
  return [tier, { entitlements: new Set(named), quotas: bounds }];
}

const isQuota = ([name, bound]: [string, unknown]): boolean =>
  quotas.some((one) => one === name) && Number.isSafeInteger(bound) && Number(bound) >= 0;

const isEntitlement = (name: unknown): name is Entitlement => entitlements.some((one) => one === name);
