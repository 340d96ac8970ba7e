export const name = 'bus';
export const migrations = new URL('./migrations/', import.meta.url);
export { createBus, type Bus, type BusDeps } from './bus.ts';
export type { BusEvent, Consumer } from './consumer.ts';
export type { NatsSettings } from './nats/settings.ts';
export { openOperator, type ConsumerStatus, type Operator, type Start, type Stuck } from './operating/operator.ts';
export { publish, publishTogether } from './outbox/publish.ts';
