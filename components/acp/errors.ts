import { defineErrors } from '@steward/kernel';

/** Codes of the protocol, which agents are answered in its own form. */
export const acpFail = defineErrors({
  missing_api_version: [400, 'The request names no version of the protocol'],
  unsupported_api_version: [400, 'The version of the protocol is not served'],
  acp_idempotency_key_required: [400, 'A write needs an Idempotency-Key'],
  item_unavailable: [422, 'Nothing of what was asked for can be bought'],
  requires_3ds: [400, 'The buyer must authenticate with the issuer'],
  payment_token_unknown: [400, 'There is no such payment token'],
  payment_token_used: [400, 'The payment token was used before'],
  payment_token_expired: [400, 'The payment token has expired'],
  payment_token_of_other_session: [400, 'The payment token is for another session'],
  payment_token_of_other_merchant: [400, 'The payment token is for another merchant'],
  payment_token_of_other_currency: [400, 'The payment token is for another currency'],
  payment_token_insufficient: [400, 'The payment token allows less than the total'],
  payment_token_limit: [429, 'The agent has as many unused payment tokens as it may'],
  session_not_cancelable: [405, 'The session has ended'],
  session_not_ready: [400, 'The session lacks something'],
  feed_of_profile: [409, 'The agent reads what the brand sells by itself'],
  feed_limit: [409, 'The brand has as many feeds as it may'],
  feed_token_missing: [409, 'Nobody has given the token of the platform'],
  acp_door_closed: [404, 'No brand sells here through this protocol'],
});
