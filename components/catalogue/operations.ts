import { pageCursor, pageLimit } from '@steward/contract';
import { manageCatalogue, readCatalogue } from './permissions.ts';

const catalogue = { pillar: 'commerce', area: 'catalogue', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...catalogue, kind: 'query', tier: 'read', requires: readCatalogue } as const;
export const changes = { ...catalogue, kind: 'command', tier: 'write', requires: manageCatalogue } as const;

export const paging = {
  limit: pageLimit,
  cursor: pageCursor(),
};
