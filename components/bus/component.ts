import type { Deferred, Log, Metrics } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import { createBus, type Bus } from './bus.ts';
import type { Consumer } from './consumer.ts';
import type { BusSettings } from './settings.ts';

export const name = 'bus';
export { busSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { createBus, type Bus, type BusDeps } from './bus.ts';
export type { BusEvent, Consumer } from './consumer.ts';
export type { NatsSettings } from './nats/settings.ts';
export { openOperator, type ConsumerStatus, type Operator, type Start, type Stuck } from './operating/operator.ts';
export { publish, publishTogether } from './outbox/publish.ts';
export { isSequence, newsOf, outboxEnd, readOn, type ReadOn, sequenceAt } from './outbox/read-on.ts';

export interface BusPorts {
  readonly config: BusSettings;
  /** With connections of its own, so that no request waits for one that a slow handler holds. */
  readonly following: Tenancy;
  /** Of every component, also of those that are made later. */
  readonly consumers: readonly Consumer[];
  readonly log: Log;
  readonly metrics: Metrics;
  readonly awaited: { readonly bus: Deferred<Bus> };
}

export function create({ config, following, consumers, log, metrics, awaited }: BusPorts): Bus {
  const bus = createBus({ tenancy: following, log, metrics, consumers, nats: config.bus });
  awaited.bus.give(bus);
  return bus;
}
