import type { Noun } from '@steward/tools';

/** What ids of webhooks name: by the host alone, for the rest of an address may hold a token. */
export const deliveriesNouns: readonly Noun[] = [
  {
    noun: 'webhook',
    table: 'deliveries.endpoint',
    key: 'endpoint_id',
    called: `coalesce(t.description || ', ', '') || split_part(t.url, '/', 3)`,
  },
];
