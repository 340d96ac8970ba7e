import { type Guard, pageOf, pageQuery, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { exportSubmissions } from './export.ts';
import { getSubmission } from './get.ts';
import { listSubmissions } from './list.ts';

const values = z.record(z.string(), z.unknown());

export const submissionSchema = z.object({
  submissionId: z.uuid(),
  siteId: z.uuid(),
  formId: z.uuid(),
  formVersion: z.int(),
  data: values,
  contactId: z.uuid().optional(),
  createdAt: z.string(),
});
const stored = submissionSchema.extend({
  keyId: z.uuid(),
  mode: z.enum(['live', 'test']),
  erasedAt: z.string().optional(),
  possibleDuplicateOf: z
    .uuid()
    .optional()
    .meta({ description: 'One with the same values, form and key, less than ten minutes before.' }),
});

const formParam = z.strictObject({ formId: z.uuid() });
const time = z.iso.datetime({ offset: true });
const filter = z.strictObject({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Give a version number')
    .transform(Number)
    .optional(),
  contactId: z.uuid().optional(),
  mode: z.enum(['live', 'test']).optional(),
  submittedFrom: time.optional(),
  submittedBefore: time.optional(),
});

/** The truth of what was submitted, for members; the studio's list is made from its events. */
export const submissionRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/forms/:formId/submissions',
    does: 'service_list_form_submissions',
    summary: 'List what was submitted to a form',
    description: 'Newest first. A form of another tenant is not found, like one that does not exist.',
    tag: 'Submissions',
    guard,
    params: formParam,
    query: filter.extend(pageQuery().shape),
    answers: {
      200: {
        description: 'A page of submissions.',
        schema: pageOf(stored),
      },
    },
    errors: ['form_not_found'],
    handle: async ({ guard: { context }, params, query: { limit, cursor, ...wanted } }) => ({
      status: 200,
      body: await listSubmissions(context, params.formId, wanted, { limit, cursor }),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/forms/:formId/submissions.csv',
    does: 'service_list_form_submissions',
    summary: 'All that was submitted to a form as CSV',
    description:
      'A column for each name that was ever sent; above 500 the fields of the form go first, and what is left stands in the ' +
      'last one as JSON. That it was taken along is recorded in the audit log.',
    tag: 'Submissions',
    guard,
    params: formParam,
    query: filter,
    answers: { 200: { description: 'The submissions, newest first.', types: ['text/csv'] } },
    errors: ['form_not_found'],
    handle: async ({ guard: { context }, params, query }) => ({
      status: 200,
      stream: await exportSubmissions(context, params.formId, query),
      type: 'text/csv; charset=utf-8; header=present',
      headers: { 'content-disposition': `attachment; filename="submissions-${params.formId}.csv"` },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/submissions/:submissionId',
    does: 'service_get_form_submission',
    summary: 'One submission',
    tag: 'Submissions',
    guard,
    params: z.strictObject({ submissionId: z.uuid() }),
    answers: { 200: { description: 'The submission.', schema: stored } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await getSubmission(context, params.submissionId),
    }),
  }),
];
