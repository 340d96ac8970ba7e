import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.string().min(1);
const mode = z.enum(['live', 'test']);

/**
 * They carry ids and no personal data. What shops and importers outside record (`commerce.order.imported`) stays open; what our
 * verbs record is reserved.
 */
export const { grammar, published, event, announcement } = defineEvents('commerce', {
  recorded: {
    'commerce.form.submitted': payload({
      submission_id: id,
      form_id: id,
      form_version: z.int(),
      site_id: id,
      mode,
      contact_id: id.optional(),
    }),
    'commerce.submission.erased': payload({ submission_ids: z.array(id), reason: z.string() }),
    'commerce.submissions.exported': payload({ form_id: id }),
  },
  published: {
    'commerce.storefront.form.submitted': payload({
      submissionId: id,
      siteId: id,
      formId: id,
      formVersion: z.int(),
      contactId: id.optional(),
      mode,
    }),
    'commerce.submission.erased': payload({ submissionIds: z.array(id) }),
  },
  // Nobody else may have the log say that a form was submitted.
  reserved: ['commerce.storefront.**'],
});
