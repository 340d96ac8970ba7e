/** Why an action takes two people. */
export const reasons = {
  four_eyes_always: 'the policy wants two people for this, whatever the amount',
  no_amount: 'it names no amount, so no limit can be held against it',
  no_limit_for_currency: 'the policy names no limit for this currency',
  amount_above_limit: 'the amount is above the limit for one person',
  daily_sum_above_limit: 'with it, today’s sum is above the limit for one person',
  new_payee: 'it is the first payment to this payee',
  new_destination: 'money leaves to accounts to which two people have not approved any yet',
  unnamed_payee: 'money leaves, and nobody is named who gets it',
};

/** What has become of an action. */
export const states = {
  pending: 'Awaits a decision',
  approved: 'Approved, being carried out',
  executed: 'Carried out',
  failed: 'Approved, and failed',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired: it will never take effect',
};

export const already = 'You have approved this already; now another person must.';

/** What a decision came to. */
export const outcome = ({ state, approvals: votes, approvalsNeeded: needed, errorCode, available }) => {
  if (state === 'executed') return 'Approved and carried out.';
  if (state === 'failed') return `Approved, and it failed: ${errorCode}. Nothing was changed.`;
  if (state === 'pending')
    return `Your approval counts, ${available?.counting ?? votes.length} of ${needed}: now another person must approve.${available !== null && available.approvers < needed && !available.alone ? ' There is no other who may.' : ''}`;
  return states[state] ?? state;
};
