import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard } from '../door.ts';
import { listFormSubmissions, type SubmissionPorts } from './list.ts';

export const submissionRoutes = (guard: MemberGuard, ports: SubmissionPorts): Route[] => [
  restOf({ guard, tag: 'Forms', ports })('GET', '/api/forms/:formId/submissions', listFormSubmissions, {
    summary: 'List the submissions of a form',
    description:
      'Newest first, without the submitted values: read those at `url`. A new submission appears here a moment after it ' +
      'was accepted.',
    answers: { 200: 'A page of submissions.' },
  }),
];
