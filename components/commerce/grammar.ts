import type { Grammar } from '@steward/audit';
import { z } from 'zod';

const id = z.string().min(1);

/** Payloads of commerce's own events, version 1. They carry ids and no personal data. */
const payloads = {
  'commerce.form.submitted': {
    submission_id: id,
    form_id: id,
    form_version: z.int(),
    site_id: id,
    mode: z.enum(['live', 'test']),
    contact_id: id.optional(),
  },
  'commerce.submission.erased': { submission_ids: z.array(id), reason: z.string() },
  'commerce.submissions.exported': { form_id: id },
} as const;

/** What shops and importers outside record (`commerce.order.imported`) stays open; what our verbs record is reserved. */
export const commerceGrammar: Grammar = {
  name: 'commerce',
  // Announced on the bus and never recorded: nobody else may have the log say that a form was submitted.
  reserved: ['commerce.storefront.**'],
  events: Object.entries(payloads).map(([types, shape]) => ({
    types,
    major: 1,
    schema: z.toJSONSchema(z.strictObject(shape)) as Record<string, unknown>,
  })),
};
