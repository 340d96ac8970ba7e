import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard } from '../door.ts';
import { listFormSubmissions, type SubmissionPorts } from './list.ts';

export const submissionRoutes = (guard: MemberGuard, ports: SubmissionPorts): Route[] => [
  restOf({ guard, tag: 'Forms', ports })('GET', '/api/forms/:formId/submissions', listFormSubmissions, {
    summary: 'List the submissions of a form',
    description:
      'Newest first, without what was submitted: `url` is where commerce, which holds it, answers. A submission is here a moment after it was taken.',
    answers: { 200: 'A page of submissions.' },
  }),
];
