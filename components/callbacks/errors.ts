import { defineErrors } from '@steward/kernel';

export const callbacksFail = defineErrors({
  provider_not_configured: [503, 'The provider is not configured here'],
  callback_malformed: [400, 'The request is not of the form that its provider sends'],
  callback_refused: [400, 'The event does not belong on this route'],
  callback_unverified: [401, 'The signature of the request is not valid'],
  delivery_state: [409, 'The delivery is in another state'],
  connection_state: [409, 'The connection is in another state'],
  connection_limit: [409, 'The organization has as many connections as it may have'],
  provider_refused: [422, 'The provider does not accept the key'],
  callbacks_waiting: [429, 'Too many deliveries of providers wait'],
  connection_exists: [409, 'The account is connected already'],
});
