import type { Noun } from '@steward/tools';

export const acpNouns: readonly Noun[] = [{ noun: 'product feed', table: 'acp.feed', key: 'feed_id', called: 't.url' }];
