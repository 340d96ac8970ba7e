import { defineErrors } from '@steward/kernel';

export const deliveriesFail = defineErrors({
  webhook_limit: [409, 'The tenant has reached its limit of webhooks'],
  webhook_disabled: [409, 'The webhook is not active'],
  stream_limit: [429, 'As many streams are open as may be'],
  webhook_of_agent: [409, 'A shopping agent is told of its orders there'],
  webhook_secret_made: [409, 'The webhook makes its secrets itself'],
  replay_limit: [429, 'The webhook has replayed as many events today as it may'],
});
