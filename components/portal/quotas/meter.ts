import { fail, permit, roles, type Clock, type Log, type Plans } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { presentBilling, selectBilling } from '../billing/billing.ts';
import type { Quotas } from './tiers.ts';

/** What is counted where it is kept; `uploads` are those under way. */
type Counted = Exclude<keyof Quotas, 'uploads'>;

export interface MeterPorts {
  readonly quotasOf: (tier: string) => Quotas;
  /** Tiers of the operator, whose quotas stand above those. */
  readonly plans: Plans;
  /** How much there is, asked by the component that keeps it. */
  readonly counters: Readonly<Record<Counted, (context: TenantContext) => Promise<number>>>;
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
   * @throws Problem `quota_exceeded` (403)
   */
  spend(tenant: string, what: string, amount: number): void;
}

interface Tally {
  readonly used: Record<keyof Quotas, number>;
  quotas: Quotas;
  /** When it is counted again. */
  due: number;
  counting: boolean;
}

/** How long a count is believed, in milliseconds; and how many times as long as the counting itself took. */
const believed = { least: 60_000, times: 200 };
/** Tenants remembered; beyond them those that are idle are counted anew when they come again. */
const mostTenants = 10_000;

const measure = permit('quotas.measure', [...roles, 'platform']);
const kinds: readonly Counted[] = ['attachmentBytes', 'submissions', 'events'];

/**
 * No counter in the database: it would be a row that every submission of a tenant locks. So a quota is not exact: each process
 * lets through what comes before its first count, and learns within a minute what others have taken in.
 */
export function createMeter({ quotasOf, plans, counters, within, clock, log }: MeterPorts): Meter {
  const tallies = new Map<string, Tally>();

  const count = async (tenant: string, tally: Tally): Promise<void> => {
    tally.counting = true;
    const began = performance.now();
    try {
      const context = within(tenant);
      const [row] = await context.require(measure).read(selectBilling);
      const before = { ...tally.used };
      const counts = await Promise.all(kinds.map(async (kind) => counters[kind](context)));
      kinds.forEach((kind, index) => {
        // What came while it was counted may be in it or not: it is counted twice rather than not at all.
        tally.used[kind] = (counts[index] ?? 0) + tally.used[kind] - before[kind];
      });
      const { tier } = presentBilling(row, clock(), plans);
      const own = plans.tiers[tier]?.quotas;
      tally.quotas = own === undefined ? quotasOf(tier) : { ...quotasOf(tier), ...own };
    } catch (error) {
      log.warn({ err: error, tenant }, 'what a tenant keeps was not counted');
    } finally {
      const took = performance.now() - began;
      tally.due = performance.now() + Math.max(believed.least, took * believed.times);
      tally.counting = false;
    }
  };
  const tallyOf = (tenant: string): Tally => {
    let tally = tallies.get(tenant);
    if (tally === undefined) {
      if (tallies.size >= mostTenants) for (const [id, { used }] of tallies) if (used.uploads === 0) tallies.delete(id);
      const used = { attachmentBytes: 0, submissions: 0, events: 0, uploads: 0 };
      // Until the tier is known, those of a tenant that pays nothing.
      tally = { used, quotas: quotasOf('trial'), due: 0, counting: false };
      tallies.set(tenant, tally);
    }
    if (!tally.counting && performance.now() >= tally.due) void count(tenant, tally);
    return tally;
  };
  return {
    spend: (tenant, what, amount) => {
      const { used, quotas } = tallyOf(tenant);
      if (!isQuota(what)) throw new TypeError(`no such quota: ${what}`);
      if (amount > 0 && used[what] + amount > quotas[what]) throw exceeded(what, used[what], quotas[what]);
      used[what] += amount;
    },
  };
}

const isQuota = (what: string): what is keyof Quotas => Object.hasOwn(words, what);

const words: Readonly<Record<keyof Quotas, readonly [what: string, mend: string]>> = {
  attachmentBytes: ['bytes of attached files', 'remove files that nobody needs'],
  submissions: ['submissions', 'erase submissions that nobody needs'],
  events: ['events in its audit log', 'send fewer events'],
  uploads: ['uploads at the same time', 'wait until one of them is done'],
};

function exceeded(quota: keyof Quotas, used: number, limit: number): Error {
  const [what, mend] = words[quota];
  return fail(
    'quota_exceeded',
    `The organization may have up to ${limit} ${what}: ${mend}, or ask the operator for a higher tier.`,
    { members: { quota, used, limit }, ...(quota === 'uploads' ? { headers: { 'retry-after': '1' } } : {}) },
  );
}
