import { defineErrors } from '@steward/kernel';

export const agenticFail = defineErrors({
  signing_key_missing: [409, 'The brand has no key to sign with'],
  invalid_profile_url: [400, 'The request names no profile that can be asked for'],
  profile_unreachable: [424, 'The profile of the agent cannot be fetched'],
  profile_malformed: [422, 'The profile of the agent cannot be read'],
  profile_not_trusted: [403, 'The brand does not sell to this agent'],
  signature_missing: [401, 'The request is not signed'],
  signature_invalid: [401, 'The signature of the request is wrong'],
  key_not_found: [401, 'The profile has no such key'],
  digest_mismatch: [400, 'The body is not what was signed'],
  algorithm_unsupported: [400, 'The key is of a type that is not understood'],
  signature_expired: [401, 'The request was signed too long ago'],
  agent_credential_limit: [409, 'The agent has as many credentials as it may'],
  agent_credential_ended: [409, 'The credential has ended'],
  host_not_valid: [400, 'This is no name that a brand can be found at'],
  host_limit: [409, 'The brand has as many hosts as it may'],
  host_released: [409, 'The brand has given the host up'],
  host_unproved: [409, 'DNS does not say that the host is the brand’s'],
  host_taken: [409, 'Another brand has the host'],
  webhook_in_profile: [409, 'The profile of the agent says where it is told'],
  agent_limit: [429, 'The brand has met as many new agents today as it may'],
});
