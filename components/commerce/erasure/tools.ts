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
  return ` In the books: ${parties.length} of the same person without address, ${named} of which keep the name for what is booked.`;
};

/** What they are called with, show and answer is ids: an approval keeps it. */
export const erasureToolset: readonly Tool[] = [
  toolOf(eraseContact, {
    ...forGood,
    title: 'Erase a person',
    description:
      'Erases a contact with all that were merged into it, what they submitted, letters about it that were not sent yet, what is kept ' +
      'of calls and approvals that speak of them, and of customers and suppliers that are the same person what the books need not keep: it cannot be taken back. To put a contact out of sight ' +
      'only, archive it.',
    say: (done, preview) =>
      preview
        ? `Would erase a person for good, with ${counted(done.mergedIds.length, 'merged contact')} and ${counted(done.submissions, 'submission')}.${inBooks(done)}`
        : `Contact ${done.contactId} is erased, with ${counted(done.submissions, 'submission')}.${inBooks(done)}`,
  }),
  toolOf(eraseSubmission, {
    ...forGood,
    title: 'Erase a form submission',
    description:
      'Erases what one submission says, and letters about it that were not sent yet: it cannot be taken back. ' +
      'Its ids stay, and so does what a contact took from it; service_erase_contact erases a person.',
    say: ({ submissionId }, preview) =>
      preview ? 'Would erase what a form submission says, for good.' : `Submission ${submissionId} is erased.`,
  }),
  toolOf(eraseTests, {
    ...forGood,
    title: 'Erase test data',
    description:
      `Erases what was submitted with test keys, and the contacts that nobody else has brought (test: true): it cannot be taken back. The first ones first, up to ` +
      `${mostTests} submissions and ${mostTests} contacts in one call; more says whether to call again. While test keys are in use, give before: what comes meanwhile makes an approval stale.`,
    say: ({ submissions, contacts, more }, preview) =>
      `${preview ? 'Would erase for good' : 'Erased'} ${counted(submissions, 'submission')} and ${counted(contacts, 'contact')} of test keys.${more ? ' There are more.' : ''}`,
  }),
];
