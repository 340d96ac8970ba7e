import { managePostings, readPostings } from './permissions.ts';

const fulfilment = { pillar: 'commerce', area: 'fulfilment', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...fulfilment, kind: 'query', tier: 'read', requires: readPostings } as const;
/** What a person approves first. */
export const decides = { ...fulfilment, kind: 'command', tier: 'approval', requires: managePostings } as const;
