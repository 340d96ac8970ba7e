import { pageCursor, pageLimit } from '@steward/contract';
import { z } from 'zod';
import { manageAgentic, readAgentic } from './permissions.ts';

const selling = { pillar: 'commerce', area: 'selling', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...selling, kind: 'query', tier: 'read', requires: readAgentic } as const;
export const changes = { ...selling, kind: 'command', tier: 'write', requires: manageAgentic } as const;
/** Whom a brand sells to, and what is believed of it: a person decides. */
export const decides = { ...changes, tier: 'approval' } as const;

export const paging = { limit: pageLimit, cursor: pageCursor() };
export const byBrand = { brandId: z.uuid().meta({ description: 'From service_list_brands.' }) };
