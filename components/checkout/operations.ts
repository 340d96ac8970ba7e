import { pageCursor, pageLimit } from '@steward/contract';
import { z } from 'zod';
import { manageSelling, manageTax, readSelling } from './permissions.ts';

const selling = { pillar: 'commerce', area: 'selling', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...selling, kind: 'query', tier: 'read', requires: readSelling } as const;
export const taxes = { ...selling, kind: 'command', tier: 'write', requires: manageTax } as const;
export const sells = { ...taxes, requires: manageSelling } as const;

/** Those in use, or all. */
export const listing = {
  limit: pageLimit,
  cursor: pageCursor(),
  archived: z.boolean().default(false).meta({ description: 'true: archived ones too.' }),
};
