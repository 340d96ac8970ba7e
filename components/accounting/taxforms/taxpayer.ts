import { field, flag, id, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { z } from 'zod';
import { boxes } from './box.ts';
import { tinKinds } from './tin.ts';

export const w9Statuses = ['requested', 'received', 'tin_matched', 'failed', 'expired'] as const;

export const classifications = [
  'individual',
  'c_corporation',
  's_corporation',
  'partnership',
  'trust_estate',
  'llc_c',
  'llc_s',
  'llc_p',
  'other',
] as const;
export type Classification = (typeof classifications)[number];

/** What is kept of a supplier's Form W-9: of `accounting.taxpayer` named `t`. */
export const taxpayer = shape('t', {
  partyId: id(),
  status: oneOf(w9Statuses),
  statusOn: field(z.iso.date(), 't.status_on::text'),
  legalName: nullable(text()),
  classification: nullable(oneOf(classifications)),
  tinKind: nullable(oneOf(tinKinds)),
  /** The rest of the number is sealed. */
  tinLast4: nullable(text()),
  /** Whether payments are reported at all, and in which box. */
  eligible: flag(),
  box: oneOf(boxes),
});
export type Taxpayer = Of<typeof taxpayer>;
