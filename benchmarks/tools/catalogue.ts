import { permit, roles } from '@steward/access';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';

/** Tools offered beside Steward's own, so that fifty are listed. */
export const offered = 47;
export const called = 'service_list_thing_07';

export const input = z.object({
  limit: z.int().min(1).max(200).default(50).describe('How many rows at most.'),
  cursor: z.string().optional().describe('`next_cursor` of the page before.'),
  state: z.enum(['open', 'closed']).optional(),
});

export const output = z.object({
  rows: z.array(z.object({ id: z.string(), name: z.string(), amount: z.string(), open: z.boolean() })),
  next_cursor: z.string().nullable(),
});

/** What every contestant's tool answers: no work, so that only the endpoint is measured. */
export const answer = (): z.infer<typeof output> => ({
  rows: [],
  next_cursor: null,
});

export const names = Array.from(
  { length: offered },
  (_, index) => `service_list_thing_${String(index).padStart(2, '0')}`,
);
export const description = 'Lists rows of one kind, newest first. Rows of other organizations are never among them.';

export const catalogue: readonly Tool[] = names.map((name) =>
  tool({
    name,
    title: 'List rows',
    description,
    pillar: 'accounting',
    area: 'books',
    kind: 'query',
    tier: 'read',
    core: true,
    surfaces: ['public'],
    input,
    output,
    annotations: {},
    requires: permit('things.read', roles, 'read'),
    personas: [],
    run: () => ({ summary: 'No rows.', data: answer() }),
  }),
);
