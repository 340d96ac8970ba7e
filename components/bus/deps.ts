import type { Log } from '@steward/kernel';
import type { Tenancy, TenantContext } from '@steward/sql';
import type { Backoff } from '@steward/work';
import type { BusMetrics } from './metrics.ts';

/** How long and how often. Milliseconds where not said otherwise. */
export interface Timings {
  /** From one round to the next at least: what is published meanwhile is handled together. */
  readonly round: number;
  /** Between two looks for what others published or have claimed, while there is traffic. */
  readonly poll: number;
  /** The same when nothing happened lately. */
  readonly idle: number;
  /** Between two looks below the cursors, for events that were passed over. */
  readonly recheck: number;
  /** A round continues without tenants that take longer. */
  readonly patience: number;
  /** For one event; then its connection is cut. */
  readonly handler: number;
  /** For one event where its tenant shares a transaction with others. */
  readonly shared: number;
  /** After which another process takes up a tenant that is behind; that it is claimed still is seen by its inbox. */
  readonly lease: number;
  /** Tries before a tenant is parked or an event is given up. */
  readonly attempts: number;
  /** Between tries. */
  readonly backoff: Backoff;
  /** Tenants at once; as many again that are slow, and two to four that are behind. */
  readonly slots: number;
  /** Events in a round at most. */
  readonly batch: number;
}

export const defaultTimings: Timings = {
  round: 2,
  poll: 25,
  idle: 100,
  recheck: 10_000,
  patience: 2_000,
  handler: 30_000,
  shared: 100,
  lease: 10_000,
  attempts: 8,
  backoff: { first: 1_000, longest: 300_000 },
  slots: 3,
  batch: 4_000,
};

export interface Deps {
  readonly tenancy: Tenancy;
  readonly log: Log;
  readonly metrics: BusMetrics;
  readonly timings: Timings;
  /** Tenants of consumers that share no transaction for now (`delivery/together.ts`). */
  readonly isolated: Set<string>;
  /** When the last of those who take up a tenant that is behind lets the next one do so (`delivery/behind.ts`). */
  readonly turns: { last: Promise<void> };
}

const itself = { type: 'system', id: 'bus' } as const;

/** The bus in a tenant, in the workflow of the event that is first. */
export const ownContext = (
  { tenancy }: Pick<Deps, 'tenancy'>,
  tenant: string,
  eventId: string,
  correlationId = eventId,
): TenantContext =>
  tenancy.systemContext({
    tenant,
    chain: [itself],
    subject: itself,
    caller: itself,
    requestId: `bus-${eventId}`,
    correlationId,
    causalId: eventId,
  });
