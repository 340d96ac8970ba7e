import { pageLimit } from '@steward/contract';
import { readSubmissions } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { listRefusals } from './list.ts';

export const refusalTools: readonly Tool[] = [
  tool({
    name: 'service_list_form_refusals',
    title: 'List refused submissions',
    description:
      'Says why submissions to a form were refused, newest first: status, code, the fields concerned and how often within ' +
      'a minute. For finding out what is wrong with a page; no values are kept.',
    pillar: 'studio',
    kind: 'query',
    tier: 'read',
    core: false,
    surfaces: ['public', 'internal'],
    input: z.strictObject({
      form_id: z.uuid().meta({ description: 'Id of the form.' }),
      limit: pageLimit.meta({ description: 'How many kinds of faults at most.' }),
      cursor: z.uuid().optional().meta({ description: '`next_cursor` of the page before.' }),
    }),
    output: z.object({
      refusals: z.array(
        z.object({
          status: z.int(),
          code: z.string(),
          errors: z.array(z.object({ pointer: z.string(), code: z.string() })),
          times: z.int(),
          first_at: z.string(),
          last_at: z.string(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
    annotations: { idempotentHint: true },
    requires: readSubmissions,
    personas: [],
    run: async (call, args) => {
      const page = await listRefusals(call.context, args.form_id, args);
      const refusals = page.items.map(({ status, code, errors, times, firstAt, lastAt }) => ({
        status,
        code,
        errors: [...errors],
        times,
        first_at: firstAt,
        last_at: lastAt,
      }));
      return {
        summary:
          refusals.length === 0
            ? 'Nothing was refused lately.'
            : `${refusals.length} ${refusals.length === 1 ? 'kind' : 'kinds'} of refusal.`,
        data: { refusals, next_cursor: page.nextCursor },
      };
    },
  }),
];
