import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { listRefusals } from './list.ts';

export const refusalRoutes = (guard: Guard<Admitted>): Route[] => [
  restOf({ guard, tag: 'Submissions' })('GET', '/api/forms/:formId/refusals', listRefusals, {
    summary: 'Why submissions to a form were refused',
    description:
      'Newest first: the latest 200, with up to ten kinds of refusals a minute and how often each occurred. A refusal ' +
      'appears within seconds. The values and their sender are not stored.',
    answers: { 200: 'A page of refusals.' },
  }),
];
