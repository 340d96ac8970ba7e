import { defineErrors } from '@steward/kernel';

/** Codes of the archive (contracts §6). */
export const fail = defineErrors({
  not_sealed: [409, 'The day of the event is not sealed yet'],
  day_sealed: [409, 'The day of the event is sealed'],
  receipt_unavailable: [503, 'This process signs no receipts'],
  audit_mismatch: [409, 'The database is not what was sealed'],
});
