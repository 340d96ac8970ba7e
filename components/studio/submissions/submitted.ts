import type { BusEvent } from '@steward/bus';
import { z } from 'zod';

/** What commerce announces of a submission: ids. */
export const submittedType = 'commerce.storefront.form.submitted';

const data = z.object({
  submissionId: z.uuid(),
  formId: z.uuid(),
  formVersion: z.int().min(1),
  siteId: z.uuid(),
  contactId: z.uuid().optional(),
  mode: z.enum(['live', 'test']),
});

export interface Submitted extends z.infer<typeof data> {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

export const submittedOf = (event: BusEvent): Submitted => ({ ...data.parse(event.data), at: event.occurredAt });
