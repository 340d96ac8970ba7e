import { defineErrors } from '@steward/kernel';

/** Codes of the protocol, which agents are answered in its own form. */
export const ucpFail = defineErrors({
  version_unsupported: [422, 'The release of the protocol is not served'],
  write_key_required: [400, 'A write needs an Idempotency-Key'],
  request_too_large: [400, 'So much cannot be asked for at once'],
  not_an_order: [422, 'The body is no order'],
  door_closed: [404, 'No brand sells here through this protocol'],
});
