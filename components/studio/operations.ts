import { pageCursor, pageLimit } from '@steward/contract';
import { manageStudio, readStudio } from './permissions.ts';

const studio = { pillar: 'studio', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...studio, kind: 'query', tier: 'read', requires: readStudio } as const;
export const changes = { ...studio, kind: 'command', tier: 'write', requires: manageStudio } as const;

export const paging = {
  limit: pageLimit,
  cursor: pageCursor(),
};
