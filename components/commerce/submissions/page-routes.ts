import { pageQuery, route, type Guard, type Route } from '@steward/contract';
import { getContact } from '@steward/crm';
import type { Admitted } from '@steward/identity';
import { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { getForm, getVersion, type FormField } from '@steward/studio';
import { z } from 'zod';
import { getSubmission } from './get.ts';
import { listSubmissions } from './list.ts';

const form = { id: z.uuid(), name: z.string() };
const mode = z.enum(['live', 'test']);
const time = z.string().nullable();

const read = z.object({
  submissionId: z.uuid(),
  form: z.object({ ...form, version: z.int() }),
  mode,
  createdAt: z.string(),
  erasedAt: time,
  possibleDuplicateOf: z.uuid().nullable(),
  answers: z.array(z.object({ name: z.string(), label: z.string().nullable(), value: z.unknown() })).meta({
    description: 'The values in the order of the form’s fields, then values that have no field (`label: null`).',
  }),
  contact: z
    .object({ id: z.uuid(), name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
    .nullable(),
});

const listed = z.object({
  form: z.object(form),
  items: z.array(z.object({ submissionId: z.uuid(), mode, createdAt: z.string(), erasedAt: time })),
  nextCursor: z.string().nullable(),
});

/**
 * What the page behind an email shows: a submission with the names of its fields and of whom it is from, which three components hold.
 * At the portal's, like the page, so that people who sign in there need no token for any other address.
 */
export const submissionPageRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/submissions/:submissionId',
    does: 'service_get_form_submission',
    summary: 'A submission as a person reads it',
    tag: 'Submissions',
    guard,
    params: z.strictObject({ submissionId: z.uuid() }),
    answers: { 200: { description: 'The submission.', schema: read } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await readable(context, params.submissionId),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/forms/:formId/submissions',
    does: 'service_list_form_submissions',
    summary: 'The submissions of a form as a person looks through them',
    tag: 'Submissions',
    guard,
    params: z.strictObject({ formId: z.uuid() }),
    query: pageQuery(),
    answers: {
      200: { description: 'A page of submissions, newest first, without their values.', schema: listed },
    },
    errors: ['not_found', 'form_not_found'],
    handle: async ({ guard: { context }, params, query }) => {
      const { id, name } = await getForm(context, { formId: params.formId });
      const { items, nextCursor } = await listSubmissions(context, { ...query, formId: id });
      const shown = items.map(({ submissionId, mode: made, createdAt, erasedAt = null }) => ({
        submissionId,
        mode: made,
        createdAt,
        erasedAt,
      }));
      return { status: 200, body: { form: { id, name }, items: shown, nextCursor } };
    },
  }),
];

async function readable(context: TenantContext, id: string): Promise<z.infer<typeof read>> {
  const submission = await getSubmission(context, { submissionId: id });
  const { formId, formVersion, mode: made, createdAt, contactId, data } = submission;
  const { name, fields } = await getVersion(context, { formId, version: formVersion });
  const known = new Set(fields.map((field) => field.name));
  return {
    submissionId: submission.submissionId,
    form: { id: formId, name, version: formVersion },
    mode: made,
    createdAt,
    erasedAt: submission.erasedAt ?? null,
    possibleDuplicateOf: submission.possibleDuplicateOf ?? null,
    answers: [
      ...fields.map((field) => ({ name: field.name, label: field.label, value: chosen(field, data[field.name]) })),
      ...Object.entries(data)
        .filter(([key]) => !known.has(key))
        .map(([key, value]) => ({ name: key, label: null, value })),
    ],
    contact: contactId === undefined ? null : await contactOf(context, contactId),
  };
}

/** A choice by its label. */
function chosen(field: FormField, value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => chosen(field, one));
  return field.options?.find((option) => option.value === value)?.label ?? value;
}

/** Somebody who was erased leaves an id. */
async function contactOf(context: TenantContext, id: string): Promise<z.infer<typeof read>['contact']> {
  try {
    const { id: contact, name, email, phone } = await getContact(context, id);
    return { id: contact, name, email, phone };
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}
