import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import { listRefusals, refusal } from './list.ts';

export const refusalTools: readonly Tool[] = [
  toolOf(listRefusals, {
    core: false,
    title: 'List refused submissions',
    description:
      'Says why submissions to a form were refused, newest first: status, code, the fields concerned and how often within ' +
      'a minute. For finding out what is wrong with a page; no values are kept. What was just refused is listed within a few seconds.',
    shows: {
      schema: z.object({
        refusals: z.array(refusal.answer.omit({ refusalId: true })),
        nextCursor: z.string().nullable(),
      }),
      of: ({ items, nextCursor }) => ({ refusals: items, nextCursor }),
    },
    say: ({ items }) =>
      items.length === 0 ? 'No submission was refused lately.' : `${counted(items.length, 'kind')} of refusal.`,
  }),
];
