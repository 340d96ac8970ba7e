import { z } from 'zod';

/** Why somebody is erased (GDPR art. 17 para. 1). A word and no text: it is recorded for ever, and a text would say who. */
export const reasons = [
  'requested',
  'consent_withdrawn',
  'objection',
  'no_longer_needed',
  'unlawful',
  'legal_obligation',
] as const;
export type Reason = (typeof reasons)[number];

export const reason = z
  .enum(reasons)
  .default('requested')
  .meta({ description: 'Recorded for ever. It names no person.' });

/** Tools by which agents ask for it. What they are called with and answer is ids. */
export const erasureTools = {
  contact: 'service_erase_contact',
  submission: 'service_erase_form_submission',
  tests: 'service_erase_test_data',
} as const;
