import { defineErrors } from '@steward/kernel';

/** Codes of the audit log (contracts §6). */
export const fail = defineErrors({
  invalid_envelope: [400, 'The audit event is not valid'],
  unknown_grammar: [400, 'The grammar is not registered'],
  reserved_event_type: [400, 'Only the server itself records this event type'],
  invalid_payload: [422, 'The payload does not fit its grammar'],
  legal_hold: [409, 'The tenant is under a legal hold'],
  master_key_missing: [503, 'The process lacks the master key of personal data'],
});
