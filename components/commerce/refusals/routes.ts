import { type Guard, pageOf, pageQuery, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { listRefusals } from './list.ts';

const refusal = z.object({
  refusalId: z.uuid(),
  status: z.int(),
  code: z.string(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string() })),
  times: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
});

export const refusalRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/forms/:formId/refusals',
    does: 'service_list_form_refusals',
    summary: 'Why submissions to a form were refused',
    description:
      'Newest first: up to ten kinds of faults a minute with how often each occurred, the latest 200. Values that were sent ' +
      'and who sent them are not kept. Shown within seconds.',
    tag: 'Submissions',
    guard,
    params: z.strictObject({ formId: z.uuid() }),
    query: pageQuery(),
    answers: {
      200: {
        description: 'A page of refusals.',
        schema: pageOf(refusal),
      },
    },
    errors: ['form_not_found'],
    handle: async ({ guard: { context }, params, query }) => ({
      status: 200,
      body: await listRefusals(context, params.formId, query),
    }),
  }),
];
