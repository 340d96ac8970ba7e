import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { listRefusals } from './list.ts';

export const refusalRoutes = (guard: Guard<Admitted>): Route[] => [
  restOf({ guard, tag: 'Submissions' })('GET', '/api/forms/:formId/refusals', listRefusals, {
    summary: 'Why submissions to a form were refused',
    description:
      'Newest first: up to ten kinds of faults a minute with how often each occurred, the latest 200. Values that were sent ' +
      'and who sent them are not kept. Shown within seconds.',
    answers: { 200: 'A page of refusals.' },
  }),
];
