import { pageLimit } from '@steward/contract';
import { z } from 'zod';
import { manageStudio, readStudio } from './permissions.ts';

const ground = { pillar: 'studio', surfaces: ['public', 'internal'], personas: [] } as const;

export const asks = {
  ...ground,
  kind: 'query',
  tier: 'read',
  annotations: { idempotentHint: true },
  requires: readStudio,
} as const;

export const changes = {
  ...ground,
  kind: 'command',
  tier: 'write',
  annotations: { destructiveHint: false },
  requires: manageStudio,
} as const;

export const page = {
  limit: pageLimit.meta({ description: 'How many at most.' }),
  cursor: z.uuid().optional().meta({ description: '`next_cursor` of the page before.' }),
};

/** A preview’s id would name nothing afterwards. */
export function withoutId({ id: _id, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
