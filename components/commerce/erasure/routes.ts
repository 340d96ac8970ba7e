import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { eraseContact } from './erase-contact.ts';
import { eraseSubmission } from './erase-submission.ts';
import { eraseTests, mostTests } from './erase-tests.ts';
import { erasureTools } from './reason.ts';

const errors = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old'];
const who =
  'It cannot be taken back, so it takes the token of an owner or admin who could decide on a pending action. ' +
  'Repeating it is harmless and answers the same.';

export function erasureRoutes(guard: Guard<Admitted>): Route[] {
  const people = restOf({ guard, tag: 'Contacts' });
  const submissions = restOf({ guard, tag: 'Submissions' });
  return [
    people('POST', '/api/contacts/:contactId/erasure', eraseContact, {
      summary: 'Erase a person',
      description:
        'The contact with all that were merged into it, what they submitted, letters about it that were not sent yet, what is kept of ' +
        `calls and approvals that speak of them, and of customers and suppliers that are the same person what the books need not keep. Ids and the fact stay. ${who} Agents ask with ${erasureTools.contact}.`,
      answers: { 200: 'What was erased.' },
      errors,
    }),
    submissions('POST', '/api/submissions/:submissionId/erasure', eraseSubmission, {
      summary: 'Erase what one submission says',
      description:
        'And the letters about it that were not sent yet. Its ids stay, and so does what a contact took from it. ' +
        `${who} Agents ask with ${erasureTools.submission}.`,
      answers: { 200: 'What was erased.' },
      errors,
    }),
    submissions('POST', '/api/test-data/erasure', eraseTests, {
      summary: 'Erase what came with test keys',
      description:
        'What the submissions say, and the contacts that nobody but such submissions brought (`test`), as a person is erased. The first ones ' +
        `first, up to ${mostTests} submissions and ${mostTests} contacts in one call; \`more\` says whether to call again. ${who} ` +
        `Agents ask with ${erasureTools.tests}.`,
      answers: { 200: 'How much was erased.' },
      errors,
    }),
  ];
}
