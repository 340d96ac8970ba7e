import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { eraseContact, type ErasedPerson } from './erase-contact.ts';
import { eraseSubmission } from './erase-submission.ts';
import { eraseTests, mostTests } from './erase-tests.ts';

const forGood = {
  core: false,
  final: true,
  annotations: { destructiveHint: true, idempotentHint: true },
  approval: { moneyOut: false },
} as const;
const inBooks = ({ parties }: ErasedPerson): string => {
  if (parties.length === 0) return '';
  const named = parties.filter(({ nameKept }) => nameKept).length;
  return (
    ` In the books: ${parties.length} of the same person without address, ${named} of which keep the name that entries ` +
    'need.'
  );
};

/** What they are called with, show and answer is ids: an approval keeps it. */
export const erasureToolset: readonly Tool[] = [
  toolOf(eraseContact, {
    ...forGood,
    title: 'Erase a person',
    description:
      'Erases a person. This cannot be undone. Erases the contact and all contacts merged into it, their submissions, ' +
      'who bought in their checkouts and orders, unsent letters about them, stored calls and approvals that mention them, and the ' +
      'data of linked customers and suppliers that the books need not keep. Orders keep their figures. To hide a contact only, archive it.',
    say: (done, preview) =>
      preview
        ? `Would erase a person for good, with ${counted(done.mergedIds.length, 'merged contact')}, ${counted(done.submissions, 'submission')} and ${counted(done.orders, 'order')}.${inBooks(done)}`
        : `Contact ${done.contactId} is erased, with ${counted(done.submissions, 'submission')} and ${counted(done.orders, 'order')}.${inBooks(done)}`,
  }),
  toolOf(eraseSubmission, {
    ...forGood,
    title: 'Erase a form submission',
    description:
      'Erases the values of one submission and unsent letters about it. This cannot be undone. Its ids stay, and so do ' +
      'values that a contact took over; service_erase_contact erases a person.',
    say: ({ submissionId }, preview) =>
      preview ? 'Would erase the values of a form submission for good.' : `Submission ${submissionId} is erased.`,
  }),
  toolOf(eraseTests, {
    ...forGood,
    title: 'Erase test data',
    description:
      'Erases what was made with test keys: orders with all that became of them, checkouts, carts, the sandbox of stock, the values of ' +
      'submissions, and contacts that only tests created (test: true). This cannot be undone. Erases the oldest first, up to ' +
      `${mostTests} of each in one call. ` +
      '`more` says whether to call again. While test keys are in use, give `before`: new test data makes an ' +
      'approval stale.',
    say: ({ orders, checkouts, submissions, contacts, more }, preview) =>
      orders + checkouts + submissions + contacts === 0
        ? 'No test order, checkout, submission or contact is left to erase.'
        : `${preview ? 'Would erase for good' : 'Erased'} ${counted(orders, 'order')}, ${counted(checkouts, 'checkout')}, ${counted(submissions, 'submission')} and ${counted(contacts, 'contact')} of test keys.${more ? ' There are more.' : ''}`,
  }),
];
