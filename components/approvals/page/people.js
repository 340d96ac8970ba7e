import { text } from './show.js';

export const named = (action, id) => text(action.names[id] ?? id);
export const asker = (action) => {
  const [first, ...acting] = action.requestedBy;
  return [
    'asked by ',
    named(action, first?.id ?? ''),
    ...acting.flatMap(({ id }) => [' through the agent ', named(action, id)]),
  ];
};
