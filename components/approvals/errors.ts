import { defineErrors } from '@steward/kernel';

export const errors = defineErrors({
  not_pending: [409, 'The action is already decided'],
  stale_preview: [409, 'The action would now do something else than was shown'],
  already_approved: [409, 'Another person must approve as well'],
  nothing_to_approve: [409, 'The call would change nothing, so there is nothing to approve'],
  batch_refused: [409, 'Nothing was approved, because some actions cannot be'],
  action_rejected: [409, 'The action was rejected'],
  action_withdrawn: [409, 'The action was withdrawn'],
  action_expired: [409, 'The action expired before it was approved'],
  action_failed: [409, 'The approved action could not be executed'],
  action_erased: [410, 'The content of the action was erased'],
  tool_unavailable: [409, 'The tool of this action is not available'],
  policy_changed: [409, 'Somebody else changed the approval policy'],
  too_many_pending: [429, 'Too many actions wait for approval'],
});
