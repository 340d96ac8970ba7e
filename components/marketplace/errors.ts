import { defineErrors } from '@steward/kernel';

export const marketplaceFail = defineErrors({
  installation_refused: [400, 'The installation of the app cannot be completed'],
  installation_unknown: [422, 'The installation code is not known'],
  channel_exists: [409, 'The shop is connected already'],
  consent_missing: [409, 'The shop has not consented to it'],
  channel_limit: [409, 'No more channels can be connected'],
});
