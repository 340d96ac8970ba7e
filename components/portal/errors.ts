import { defineErrors } from '@steward/kernel';

export const portalFail = defineErrors({
  organization_name_required: [400, 'An organization name is required'],
  idempotency_key_required: [400, 'An idempotency key is required'],
  invalid_idempotency_key: [400, 'The idempotency key is not valid'],
  machine_principal: [403, 'Only a person can sign up'],
  signup_not_allowed: [403, 'The token is not accepted for signup'],
  own_client: [403, 'A client cannot be granted more with its own token'],
  invitation_for_another_address: [403, 'The invitation was sent to another address'],
  invitation_open: [409, 'An invitation to this address is already open'],
  already_member: [409, 'This principal is already a member'],
  member_suspended: [409, 'This member is suspended'],
  version_conflict: [409, 'Somebody else changed the resource'],
  default_brand: [409, 'The default brand cannot be archived'],
  grant_limit: [409, 'The organization has the largest number of grants'],
  unknown_client: [404, 'No such client ever connected to this organization'],
  already_subscribed: [409, 'The organization has a subscription'],
  no_subscription: [409, 'The organization has never subscribed'],
  signup_owner_limit: [429, 'This owner has created enough tenants today'],
  billing_refused: [502, 'The billing provider refused this'],
  billing_unavailable: [503, 'The billing provider does not answer'],
  signup_failed: [500, 'The signup could not be completed'],
});
