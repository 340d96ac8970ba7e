import { restOf } from '@steward/access';
import { type Guard, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { exportSubmissions } from './export.ts';
import { getSubmission } from './get.ts';
import { filter, listSubmissions } from './list.ts';

const inAddress = filter.extend({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Give a version number')
    .transform(Number)
    .optional(),
});

/** The truth of what was submitted, for members; the studio's list is made from its events. */
export function submissionRoutes(guard: Guard<Admitted>): Route[] {
  const tag = 'Submissions';
  const rest = restOf({ guard, tag });
  return [
    rest('GET', '/api/forms/:formId/submissions', listSubmissions, {
      summary: 'List the submissions of a form',
      description: 'Newest first. A form of another tenant answers 404, like a form that does not exist.',
      answers: { 200: 'A page of submissions.' },
    }),
    route({
      method: 'GET',
      path: '/api/forms/:formId/submissions.csv',
      does: 'service_list_form_submissions',
      summary: 'Export the submissions of a form as CSV',
      description:
        'One column for each name that was ever sent. Above 500 columns, the fields of the form come first, and the last ' +
        'column contains the other values as JSON. The audit log records the export.',
      tag,
      guard,
      params: z.strictObject({ formId: z.uuid() }),
      query: inAddress,
      answers: { 200: { description: 'The submissions, newest first.', types: ['text/csv'] } },
      errors: ['form_not_found'],
      handle: async ({ guard: { context }, params, query }) => ({
        status: 200,
        stream: await exportSubmissions(context, params.formId, query),
        type: 'text/csv; charset=utf-8; header=present',
        headers: { 'content-disposition': `attachment; filename="submissions-${params.formId}.csv"` },
      }),
    }),
    rest('GET', '/api/submissions/:submissionId', getSubmission, {
      summary: 'One submission',
      answers: { 200: 'The submission.' },
    }),
  ];
}
