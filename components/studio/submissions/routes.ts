import { pageOf, pageQuery, route, type Route } from '@steward/contract';
import { z } from 'zod';
import { byForm, type MemberGuard } from '../door.ts';
import { listFormSubmissions } from './list.ts';

const entry = z.object({
  submissionId: z.uuid(),
  formId: z.uuid(),
  formVersion: z.int(),
  siteId: z.uuid(),
  contactId: z.uuid().nullable(),
  mode: z.enum(['live', 'test']),
  submittedAt: z.string(),
  url: z.string(),
});

/** @param page Where a submission itself can be read: at commerce's. */
export const submissionRoutes = (guard: MemberGuard, page: (submissionId: string) => string): Route[] => [
  route({
    method: 'GET',
    path: '/api/forms/:formId/submissions',
    does: 'service_list_form_submissions',
    summary: 'List the submissions of a form',
    description:
      'Newest first, without what was submitted: `url` is where commerce, which holds it, answers. A submission is here a moment after it was taken.',
    tag: 'Forms',
    guard,
    params: byForm,
    query: pageQuery().extend({ mode: z.enum(['live', 'test']).optional() }),
    answers: { 200: { description: 'A page of submissions.', schema: pageOf(entry) } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params, query }) => {
      const { items, nextCursor } = await listFormSubmissions(context, params.formId, query, query);
      return {
        status: 200,
        body: { items: items.map((item) => ({ ...item, url: page(item.submissionId) })), nextCursor },
      };
    },
  }),
];
