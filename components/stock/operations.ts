import { pageCursor, pageLimit } from '@steward/contract';
import { manageStock, readStock } from './permissions.ts';

const commerce = { pillar: 'commerce', area: 'catalogue', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...commerce, kind: 'query', tier: 'read', requires: readStock } as const;
export const changes = { ...commerce, kind: 'command', tier: 'write', requires: manageStock } as const;

export const paging = {
  limit: pageLimit,
  cursor: pageCursor(),
};
