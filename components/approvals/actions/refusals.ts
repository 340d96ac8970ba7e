import { fail, type Problem } from '@steward/kernel';
import { errors } from '../errors.ts';
import { stateOf, type Action } from './action.ts';

export const notFound = (): Problem =>
  fail('not_found', 'There is no such pending action: list the pending actions for their ids.');

export const forbidden = (): Problem =>
  fail('tenant_forbidden', 'The person who proposed this is no longer a member of the organization.');

/** A decision that comes second, with what the first has come to. */
export const notPending = (action: Action): Problem => {
  const state = stateOf(action);
  return errors('not_pending', `The action is ${state} and can no longer be decided.`, { members: { state } });
};

/** What was shown is not what would happen: the action, as it is to be shown now, comes with the refusal. */
export const stale = (detail: string, action?: unknown): Problem =>
  errors('stale_preview', detail, action === undefined ? {} : { members: { action } });
