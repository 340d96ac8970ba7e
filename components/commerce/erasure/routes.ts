import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { eraseContact } from './erase-contact.ts';
import { eraseSubmission } from './erase-submission.ts';
import { eraseTests, mostTests } from './erase-tests.ts';
import { erasureTools } from './reason.ts';

const errors = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old'];
const who =
  'This cannot be undone, so it needs a token that may decide, of an owner or admin. Repeating it is safe and answers ' +
  'the same.';

export function erasureRoutes(guard: Guard<Admitted>): Route[] {
  const people = restOf({ guard, tag: 'Contacts' });
  const submissions = restOf({ guard, tag: 'Submissions' });
  return [
    people('POST', '/api/contacts/:contactId/erasure', eraseContact, {
      summary: 'Erase a person',
      description:
        'Erases the contact and all contacts merged into it, their submissions, who bought in their checkouts and orders, unsent ' +
        'letters about them, stored calls and approvals that mention them, and the data of linked customers and suppliers that ' +
        'the books need not keep. Figures of orders, ids and ' +
        `the record of the erasure stay. ${who} Agents propose it with ${erasureTools.contact}.`,
      answers: { 200: 'The data that was erased.' },
      errors,
    }),
    submissions('POST', '/api/submissions/:submissionId/erasure', eraseSubmission, {
      summary: 'Erase the data of one submission',
      description:
        'Erases the values of the submission and unsent letters about it. Its ids stay, and so do values that a contact ' +
        `took over. ${who} Agents propose it with ${erasureTools.submission}.`,
      answers: { 200: 'The data that was erased.' },
      errors,
    }),
    submissions('POST', '/api/test-data/erasure', eraseTests, {
      summary: 'Erase test data',
      description:
        'Erases what was made with test keys: orders with all that became of them, checkouts, carts, the sandbox of stock, the values ' +
        'of submissions, and contacts that only tests created (`test`). ' +
        `Erases the oldest first, up to ${mostTests} of each in one call; \`more\` says whether to call again. ${who} Agents propose it with ${erasureTools.tests}.`,
      answers: { 200: 'The number of erased orders, checkouts, submissions and contacts.' },
      errors,
    }),
  ];
}
