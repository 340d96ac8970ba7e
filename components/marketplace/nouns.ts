import type { Noun } from '@steward/tools';

/** What ids of channels name. */
export const marketplaceNouns: readonly Noun[] = [
  { noun: 'channel', table: 'marketplace.channel', key: 'channel_id', called: 't.name' },
];
