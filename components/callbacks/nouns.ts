import type { Noun } from '@steward/tools';

/** What ids of connections and deliveries name. */
export const callbackNouns: readonly Noun[] = [
  {
    noun: 'provider connection',
    table: 'callbacks.connection',
    key: 'connection_id',
    called: 't.name',
  },
  {
    noun: 'delivery of a provider',
    table: 'callbacks.delivery',
    key: 'delivery_id',
    called: `t.provider || ' ' || t.topic`,
  },
];
