import type { Log, Metrics, PublishedEvent } from '@steward/kernel';
import type { Attributed, Tenancy, TenantTransaction, Transaction } from '@steward/sql';
import type { Consumer } from './consumer.ts';
import { createPoller, type Poller } from './delivery/poller.ts';
import { defaultTimings, type Deps, type Timings } from './deps.ts';
import { busMetrics } from './metrics.ts';
import { forwarder } from './nats/forward.ts';
import { createLink } from './nats/link.ts';
import type { NatsSettings } from './nats/settings.ts';
import { publish, publishTogether } from './outbox/publish.ts';

export interface BusDeps {
  readonly tenancy: Tenancy;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Read at start: until then there may come more. */
  readonly consumers: readonly Consumer[];
  /** Where events go besides; nowhere without it. */
  readonly nats?: NatsSettings | undefined;
  /** For tests; what is not given is as usual. */
  readonly timings?: Partial<Timings>;
}

export interface Bus {
  /** Writes events in the transaction of their change, and wakes the consumers of this process after the commit. */
  publish(tx: TenantTransaction, events: readonly PublishedEvent[]): Promise<void>;
  /** The same for a transaction that tenants share (`TenancyPorts.together`). */
  publishTogether(tx: Transaction, events: readonly Attributed<PublishedEvent>[]): void;
  /** @throws Error where two consumers have one name */
  start(): void;
  /** Resolves once what was begun is done. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Whether the outbox can be read. */
  readonly healthy: boolean;
  /** Whether NATS is there; undefined where it is not configured. */
  readonly natsHealthy: boolean | undefined;
}

export function createBus({ tenancy, log, metrics, consumers, nats, timings }: BusDeps): Bus {
  const deps: Deps = {
    tenancy,
    log,
    metrics: busMetrics(metrics, tenancy.pool, log),
    timings: { ...defaultTimings, ...timings },
    isolated: new Set(),
    turns: { last: Promise.resolve() },
  };
  const link = nats === undefined ? undefined : createLink(nats, log, () => poller?.wake());
  const transports = nats === undefined || link === undefined ? [] : [forwarder(deps, link, nats)];
  let poller: Poller | undefined;
  return {
    publish: async (tx, events) => {
      await publish(tx, events);
      tx.afterCommit(() => poller?.wake(events));
    },
    publishTogether: (tx, events) => {
      publishTogether(tx, events);
      tx.afterCommit(() => poller?.wake(events));
    },
    start: () => {
      const names = [...consumers.map(({ name }) => name), 'nats'];
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) throw new Error(`two consumers are called ${twice}`);
      poller = createPoller(deps, consumers, transports);
      link?.start();
      poller.start();
    },
    [Symbol.asyncDispose]: async () => {
      await poller?.stop();
      await link?.stop();
    },
    get healthy() {
      return poller?.healthy ?? true;
    },
    get natsHealthy() {
      return link === undefined ? undefined : link.stream !== undefined;
    },
  };
}
