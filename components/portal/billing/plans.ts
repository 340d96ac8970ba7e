import { ConfigError, integer, text, type Source } from '@steward/kernel';

type PlanVariable = 'PLANS' | 'AFTER_TRIAL' | 'BILLING_GRACE_DAYS';

/** What a billing tier lets a tenant do: `read`, `export`, `decide` (about pending actions), `write`, `approval` (propose). */
export const entitlements = ['read', 'export', 'decide', 'write', 'approval'] as const;
export type Entitlement = (typeof entitlements)[number];

/** What a tier may bound: bytes of files attached and of what providers sent, submissions, bytes of carts and audit events kept, webhooks, files taken at the same time. */
const quotas = [
  'attachmentBytes',
  'callbackBytes',
  'submissions',
  'cartBytes',
  'events',
  'webhooks',
  'uploads',
] as const;

export interface Plan {
  readonly entitlements: ReadonlySet<string>;
  /** Above those that a tier of this name has by itself. */
  readonly quotas?: Readonly<Partial<Record<(typeof quotas)[number], number>>>;
  /** Ids of prices at the provider that pay for it. The first one is sold; the others are those of subscriptions from before. */
  readonly prices?: readonly string[];
}

export interface Plans {
  /** By the name of the tier. `free`, `trial` and `community` are always among them. */
  readonly tiers: Readonly<Record<string, Plan>>;
  /** The tier of a tenant whose trial is over, or whom nobody pays for any more. */
  readonly afterTrial: string;
  /** Milliseconds for which an unpaid invoice leaves the tier as it is. */
  readonly grace: number;
}

const everything = { entitlements: new Set(entitlements) };

/** `free`: what is a tenant's stays readable and exportable, and what waits can be decided. */
const always = {
  free: { entitlements: new Set(['read', 'export', 'decide'] as const) },
  trial: everything,
  community: everything,
} as const satisfies Plans['tiers'];

/**
 * `PLANS`, a JSON object of tiers, over those that are always there; `AFTER_TRIAL`; and `BILLING_GRACE_DAYS`.
 * @param charges whether tenants can pay: where they cannot, a trial that led to `free` would lock them out for ever
 * @throws ConfigError naming the tier or entitlement at fault
 */
export function readPlans(env: Source<PlanVariable>, charges: boolean): Plans {
  const tiers: Plans['tiers'] = { ...always, ...Object.fromEntries(Object.entries(given(env)).map(planOf)) };
  requirePricesApart(tiers);
  const named = text(env, 'AFTER_TRIAL');
  const afterTrial = named === '' ? (charges ? 'free' : 'community') : named;
  if (!settled(tiers).includes(afterTrial))
    throw new ConfigError(`AFTER_TRIAL must be a tier other than trial: ${settled(tiers).join(', ')}.`);
  return { tiers, afterTrial, grace: integer(env, 'BILLING_GRACE_DAYS', 0, 90) * 86_400_000 };
}

/** The tiers that can be subscribed to. */
export const offered = ({ tiers }: Pick<Plans, 'tiers'>): readonly string[] =>
  Object.keys(tiers).filter((tier) => tiers[tier]?.prices !== undefined);

/** The tier that a price pays for; undefined for a price of none. */
export const tierOfPrice = (tiers: Plans['tiers'], price: string): string | undefined =>
  Object.keys(tiers).find((tier) => tiers[tier]?.prices?.includes(price) === true);

function requirePricesApart(tiers: Plans['tiers']): void {
  const seen = new Map<string, string>();
  for (const [tier, { prices = [] }] of Object.entries(tiers))
    for (const price of prices) {
      const other = seen.get(price);
      if (other !== undefined) throw new ConfigError(`PLANS: ${other} and ${tier} have one price, ${price}.`);
      seen.set(price, tier);
    }
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
  const { entitlements: named, quotas: bounds = {}, price = [], ...others } = (plan ?? {}) as Record<string, unknown>;
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw new ConfigError(`PLANS: the tier ${tier} has unknown members: ${unknown.join(', ')}. Remove them.`);
  if (!Array.isArray(named) || !named.every(isEntitlement))
    throw new ConfigError(`PLANS: the entitlements of ${tier} must be a list of ${entitlements.join(', ')}.`);
  if (typeof bounds !== 'object' || bounds === null || !Object.entries(bounds).every(isQuota))
    throw new ConfigError(`PLANS: the quotas of ${tier} must be whole numbers for ${quotas.join(', ')}.`);
  const prices: unknown[] = Array.isArray(price) ? price : [price];
  if (!prices.every(isPrice) || new Set(prices).size < prices.length)
    throw new ConfigError(
      `PLANS: the price of ${tier} must be the id of a price, or a list of them, the one to sell first.`,
    );
  if (prices.length > 0 && unpaid.includes(tier)) throw new ConfigError(`PLANS: ${tier} can have no price.`);
  return [tier, { entitlements: new Set(named), quotas: bounds, ...(prices.length === 0 ? {} : { prices }) }];
}

/** What a tenant begins with, and what is left to one that does not pay. */
const unpaid = ['trial', 'free'];

const isPrice = (id: unknown): id is string => typeof id === 'string' && /^[A-Za-z0-9_]{1,100}$/.test(id);

const isQuota = ([name, bound]: [string, unknown]): boolean =>
  quotas.some((one) => one === name) && Number.isSafeInteger(bound) && Number(bound) >= 0;

const isEntitlement = (name: unknown): name is Entitlement => entitlements.some((one) => one === name);
