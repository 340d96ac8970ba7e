import { defineErrors } from '@steward/kernel';

/** Why somebody may not do something, beside what the kernel says; as HTTP problems, or as `error_code` of a tool result. */
export const errors = defineErrors({
  tool_denied: [403, 'The agent may not do this here'],
  not_entitled: [403, 'The billing tier does not include this'],
  approval_required: [403, 'A person must approve this'],
  client_not_approver: [403, 'This client may not decide'],
  login_too_old: [401, 'Log in again to decide'],
});
