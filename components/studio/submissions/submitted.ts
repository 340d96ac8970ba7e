import type { BusEvent } from '@steward/bus';
import { timeOfId } from '@steward/kernel';
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
  /** When it was submitted, as every door shows it: RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

export function submittedOf(event: BusEvent): Submitted {
  const submitted = data.parse(event.data);
  return { ...submitted, at: timeOfId(submitted.submissionId) };
}
