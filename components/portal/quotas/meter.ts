import { permit, roles } from '@steward/access';
import { fail, type Clock, type Log } from '@steward/kernel';
import type { Plans } from '../billing/plans.ts';
import type { TenantContext } from '@steward/sql';
import { presentBilling, selectBilling, type BillingRow } from '../billing/billing.ts';
import type { Ceilings, Quotas } from './tiers.ts';

/** What is counted where it is kept; `uploads` are those under way. */
type Counted = Exclude<keyof Quotas, 'uploads'>;

/** With anything else that the counter needs to continue from it. */
export interface Count {
  readonly amount: number;
  /** Whether it was not counted to the end yet. */
  readonly more?: boolean;
}

export interface MeterPorts {
  readonly quotasOf: (tier: string) => Quotas;
  /** The operator's tiers, whose quotas take precedence. */
  readonly plans: Plans;
  /** How much there is, counted by the component that stores it, which may continue from `before`. */
  readonly counters: Readonly<Record<Counted, (context: TenantContext, before: Count | undefined) => Promise<Count>>>;
  /** What visitors send is not stopped by what somebody pays, but here. */
  readonly ceilings: Ceilings;
  /** Deletes what visitors left longest where they come near the ceiling; answers what is kept then. */
  readonly makeRoom: (context: TenantContext, ceiling: number) => Promise<number>;
  /** The platform's own way into a tenant. */
  readonly within: (tenant: string) => TenantContext;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether a tenant may keep more: answers at once, from what was counted within the last minute and what came since. */
export interface Meter {
  /**
   * @param what one of the quotas
   * @param amount negative: gives back
   * @param share of the limit, which this may fill; the rest is for others
   * @param kept how much there is, where the caller has read it
   * @throws Problem `quota_exceeded` (403)
   */
  spend(tenant: string, what: string, amount: number, share?: number, kept?: number): void;
  /** What is kept of each quota, and what the tier lets keep; counted within the last minute. */
  usage(tenant: string): Promise<readonly Usage[]>;
  /** Of a tenant, or of all, the tier may be another one. */
  forget(tenant: string | undefined): void;
}

export interface Usage {
  readonly quota: Counted;
  readonly used: number;
  readonly limit: number;
}

interface Tally {
  readonly used: Record<keyof Quotas, number>;
  quotas: Quotas;
  readonly counts: Partial<Record<Counted, Count>>;
  /** When it is counted again. */
  due: number;
  counting: Promise<void> | undefined;
}

/** How long a count is believed, in milliseconds, and how long where it was not done; and how many times as long as the counting itself took. */
const believed = { least: 60_000, unfinished: 500, times: 200 };
/** Tenants remembered; beyond that, idle ones are forgotten and counted again when they return. */
const mostTenants = 10_000;

const measure = permit('quotas.measure', [...roles, 'platform']);
const kinds: readonly Counted[] = [
  'attachmentBytes',
  'callbackBytes',
  'submissions',
  'cartBytes',
  'events',
  'webhooks',
];
/** Of the ceiling of carts: from where on room may have to be made. */
const crowded = 0.7;
const isCeiling = (what: keyof Quotas): what is keyof Ceilings => what === 'submissions' || what === 'cartBytes';

/**
 * No counter in the database: it would be a row that every submission of a tenant locks. So a quota is not exact: each process
 * lets through what comes before its first count, and learns within a minute what others have taken in.
 */
export function createMeter({ quotasOf, plans, counters, ceilings, makeRoom, within, clock, log }: MeterPorts): Meter {
  const tallies = new Map<string, Tally>();

  /**
   * Carts, and room for more of them where there is hardly any: strangers could close a shop for as long as it keeps carts otherwise.
   * @param spare told how long making room took, in milliseconds: it is no counting
   */
  const countCarts = async (context: TenantContext, spare: (took: number) => void): Promise<Count> => {
    const counted = await counters.cartBytes(context, undefined);
    const { tenant } = context;
    const began = performance.now();
    try {
      const amount = await makeRoom(context, ceilings.cartBytes);
      if (amount < counted.amount)
        log.warn(
          { tenant, before: counted.amount, after: amount },
          'carts of a tenant were deleted early to make room',
        );
      return { amount };
    } catch (error) {
      log.warn({ err: error, tenant }, 'room for carts of a tenant was not made');
      return counted;
    } finally {
      spare(performance.now() - began);
    }
  };
  const count = async (tenant: string, tally: Tally): Promise<void> => {
    const began = performance.now();
    const before = { ...tally.used };
    let more = false;
    let spared = 0;
    try {
      const context = within(tenant);
      const [row] = await context.require(measure).read<BillingRow>(selectBilling);
      const counts = await Promise.all(
        kinds.map(async (kind) => {
          try {
            return kind === 'cartBytes'
              ? await countCarts(context, (took) => (spared += took))
              : await counters[kind](context, tally.counts[kind]);
          } catch (error) {
            // What was known of it stays, and the others are counted.
            log.warn({ err: error, tenant, kind }, 'what a tenant keeps was not counted');
            return undefined;
          }
        }),
      );
      kinds.forEach((kind, index) => {
        const counted = counts[index];
        if (counted === undefined) return;
        tally.counts[kind] = counted;
        // What came while it was counted may be in it or not: it is counted twice rather than not at all.
        tally.used[kind] = counted.amount + tally.used[kind] - before[kind];
        more ||= counted.more === true;
      });
      const { tier } = presentBilling(row, clock(), plans);
      const own = plans.tiers[tier]?.quotas;
      tally.quotas = own === undefined ? quotasOf(tier) : { ...quotasOf(tier), ...own };
      for (const kind of kinds.filter(isCeiling))
        if (tally.used[kind] > tally.quotas[kind])
          log.warn(
            { tenant, [kind]: tally.used[kind], quota: tally.quotas[kind] },
            `a tenant keeps more ${words[kind][0]} than its tier says`,
          );
    } catch (error) {
      log.warn({ err: error, tenant }, 'what a tenant keeps was not counted');
    } finally {
      const took = performance.now() - began - spared;
      // While visitors are refused, what may be deleted by now is looked for every minute.
      const full = tally.used.cartBytes > ceilings.cartBytes * crowded;
      const longest = full ? believed.least : took * believed.times;
      tally.due = performance.now() + Math.max(more ? believed.unfinished : believed.least, longest);
      tally.counting = undefined;
    }
  };
  const tallyOf = (tenant: string): Tally => {
    let tally = tallies.get(tenant);
    if (tally === undefined) {
      if (tallies.size >= mostTenants) for (const [id, { used }] of tallies) if (used.uploads === 0) tallies.delete(id);
      const used = {
        attachmentBytes: 0,
        callbackBytes: 0,
        submissions: 0,
        cartBytes: 0,
        events: 0,
        webhooks: 0,
        uploads: 0,
      };
      // Until the tier is known, those of a tenant that pays nothing.
      tally = { used, quotas: quotasOf('trial'), counts: {}, due: 0, counting: undefined };
      tallies.set(tenant, tally);
    }
    if (tally.counting === undefined && performance.now() >= tally.due) tally.counting = count(tenant, tally);
    return tally;
  };
  return {
    spend: (tenant, what, amount, share = 1, kept) => {
      const { used, quotas } = tallyOf(tenant);
      if (!isQuota(what)) throw new TypeError(`no such quota: ${what}`);
      const limit = isCeiling(what) ? ceilings[what] : quotas[what];
      const before = kept ?? used[what];
      if (amount > 0 && before + amount > limit * share) throw exceeded(what, before, limit);
      used[what] += amount;
    },
    usage: async (tenant) => {
      const tally = tallyOf(tenant);
      await tally.counting;
      return kinds.map((quota) => ({ quota, used: tally.used[quota], limit: tally.quotas[quota] }));
    },
    forget: (tenant) => {
      for (const tally of tenant === undefined ? tallies.values() : [tallies.get(tenant)]) {
        if (tally === undefined) continue;
        tally.due = 0;
        // One that is under way may have read the tier before.
        void tally.counting?.then(() => (tally.due = 0));
      }
    },
  };
}

const isQuota = (what: string): what is keyof Quotas => Object.hasOwn(words, what);

const words: Readonly<Record<keyof Quotas, readonly [what: string, mend: string]>> = {
  attachmentBytes: ['bytes of attached files', 'remove files that nobody needs'],
  callbackBytes: ['bytes of what providers sent', 'pause what sends so much'],
  submissions: ['submissions on this server', 'its forms take no more submissions'],
  cartBytes: ['bytes of carts and checkouts on this server', 'complete those that were begun'],
  events: ['events in its audit log', 'send fewer events'],
  webhooks: ['webhooks', 'delete one that nobody needs'],
  uploads: ['uploads at the same time', 'wait until one of them is done'],
};

function exceeded(quota: keyof Quotas, used: number, limit: number): Error {
  const [what, mend] = words[quota];
  return fail(
    'quota_exceeded',
    `The organization has reached its limit of ${limit} ${what}: ${mend}, or ask the operator for a higher tier.`,
    { members: { quota, used, limit }, ...(quota === 'uploads' ? { headers: { 'retry-after': '1' } } : {}) },
  );
}
