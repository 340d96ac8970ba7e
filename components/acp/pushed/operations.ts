import { pageCursor, pageLimit } from '@steward/contract';
import { manageFeeds, readFeeds } from '../permissions.ts';

const selling = { pillar: 'commerce', area: 'selling', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...selling, kind: 'query', tier: 'read', requires: readFeeds } as const;
export const changes = { ...selling, kind: 'command', tier: 'write', requires: manageFeeds } as const;
/** Data leaves the organization: a person decides where to. */
export const decides = { ...changes, tier: 'approval' } as const;

export const paging = { limit: pageLimit, cursor: pageCursor() };
