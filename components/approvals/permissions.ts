import { everyone, permit, roles } from '@steward/access';

/** Every caller of tools may propose; the visibility of tools decides which ones. */
export const proposeActions = permit('actions.propose', everyone, 'decide');
/** Everyone sees what was asked on their behalf; these see everything. */
export const readActions = permit('actions.read', everyone, 'read');
export const overseeActions = permit('actions.oversee', ['owner', 'admin', 'accountant', 'platform'], 'read');
/** Beside it, the tool's own roles count: nobody approves what they could not do. */
export const decideActions = permit('actions.decide', ['owner', 'admin', 'accountant'], 'decide');
export const readPolicy = permit('approval_policy.read', roles, 'read');
export const changePolicy = permit('approval_policy.change', ['owner'], 'decide');
export const settleActions = permit('actions.settle', ['platform']);
