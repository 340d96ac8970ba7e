import { permit, roles } from '@steward/kernel';

/** Whoever may call tools may propose; which tools is decided by their visibility. */
export const proposeActions = permit('actions.propose', [...roles, 'platform']);
/** Everyone sees what was asked on their behalf; these see everything. */
export const readActions = permit('actions.read', [...roles, 'platform']);
export const overseeActions = permit('actions.oversee', ['owner', 'admin', 'accountant', 'platform']);
/** Beside it, the tool's own roles count: nobody approves what they could not do. */
export const decideActions = permit('actions.decide', ['owner', 'admin', 'accountant']);
export const readPolicy = permit('approval_policy.read', roles);
export const changePolicy = permit('approval_policy.change', ['owner']);
export const settleActions = permit('actions.settle', ['platform']);
