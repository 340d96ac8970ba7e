import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { countForms } from './list.ts';

export const countRoutes = (guard: Guard<Admitted>): Route[] => [
  restOf({ guard, tag: 'Submissions' })('GET', '/api/form-counts', countForms, {
    does: 'service_list_form_refusals',
    summary: 'How often forms were read, begun, refused and submitted, by day',
    description:
      'Days of UTC; those with nothing are left out. `starts`: visitors who began to fill the form in, as the page told. Counted within ten seconds, without anything of who read or submitted. A server process that ' +
      'is killed loses what it counted in its last ten seconds, so that these are no receipts: submissions themselves are listed.',
    answers: { 200: 'The days of the period.' },
  }),
];
