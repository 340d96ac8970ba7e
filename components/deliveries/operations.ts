import { pageCursor, pageLimit } from '@steward/contract';
import { manageWebhooks, readWebhooks } from './permissions.ts';

const portal = { pillar: 'portal', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...portal, kind: 'query', tier: 'read', requires: readWebhooks } as const;
export const changes = { ...portal, kind: 'command', tier: 'write', requires: manageWebhooks } as const;
/** Data leaves the house: a person decides where to. */
export const decides = { ...changes, tier: 'approval' } as const;

export const paging = {
  limit: pageLimit,
  cursor: pageCursor(),
};
