import { session } from './session.js';
import { text } from './show.js';

/** Whether it waits for another person than whoever is signed in, who has approved it and is not allowed to be enough. */
export const awaitsAnother = ({ approvals, available }) =>
  available?.alone !== true && approvals.some(({ approver }) => approver === session.id);

/** Whether a role decides at all; which tools it decides about, the server says. */
export const decides = ({ role }) => ['owner', 'admin', 'accountant'].includes(role);

export const named = (action, id) => text(action.names[id] ?? id);
export const asker = (action) => {
  const [first, ...acting] = action.requestedBy;
  return [
    'asked by ',
    named(action, first?.id ?? ''),
    ...acting.flatMap(({ id }) => [' through the agent ', named(action, id)]),
  ];
};
