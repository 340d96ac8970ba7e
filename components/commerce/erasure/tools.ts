import { counted } from '@steward/kernel';
import { erasePeople } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { eraseContact, type ErasedPerson } from './erase-contact.ts';
import { eraseSubmission } from './erase-submission.ts';
import { eraseTests, mostTests } from './erase-tests.ts';
import { erasureTools, reasons } from './reason.ts';

const common = {
  kind: 'command',
  tier: 'approval',
  core: false,
  surfaces: ['public', 'internal'],
  personas: [],
  annotations: { destructiveHint: true, idempotentHint: true },
  // A duty, so it does not end with what the tenant pays for.
  requires: erasePeople,
  final: true,
  approval: { moneyOut: false },
} as const;
const inBooks = ({ parties }: ErasedPerson): string => {
  if (parties.length === 0) return '';
  const named = parties.filter(({ nameKept }) => nameKept).length;
  return ` In the books: ${parties.length} of the same person without address, ${named} of which keep the name for what is booked.`;
};
const reason = z
  .enum(reasons)
  .default('requested')
  .meta({ description: 'Recorded for ever, so it is a word and says nothing of whom.' });

/** What they are called with, show and answer is ids: an approval keeps it. */
export const erasureToolset: readonly Tool[] = [
  tool({
    ...common,
    pillar: 'crm',
    name: erasureTools.contact,
    title: 'Erase a person',
    description:
      'Erases a contact with all that were merged into it, what they submitted, letters about it that were not sent yet, what is kept ' +
      'of calls and approvals that speak of them, and of customers and suppliers that are the same person what the books need not keep: it cannot be taken back. To put a contact out of sight ' +
      'only, archive it.',
    input: z.strictObject({ contact_id: z.uuid(), reason }),
    output: z.object({
      contact_id: z.string(),
      merged_ids: z.array(z.string()),
      submissions: z.int(),
      parties: z.array(z.object({ party_id: z.string(), name_kept: z.boolean() })),
      erased_at: z.string(),
    }),
    run: async (call, args) => {
      const done = await eraseContact(call.context, args.contact_id, args.reason);
      const data = {
        contact_id: done.contactId,
        merged_ids: [...done.mergedIds],
        submissions: done.submissions,
        parties: done.parties.map(({ partyId, nameKept }) => ({ party_id: partyId, name_kept: nameKept })),
        erased_at: done.erasedAt,
      };
      return {
        summary: call.preview
          ? `Would erase a person for good, with ${counted(data.merged_ids.length, 'merged contact')} and ${counted(done.submissions, 'submission')}.${inBooks(done)}`
          : `Contact ${done.contactId} is erased, with ${counted(done.submissions, 'submission')}.${inBooks(done)}`,
        data,
      };
    },
  }),
  tool({
    ...common,
    pillar: 'studio',
    name: erasureTools.submission,
    title: 'Erase a form submission',
    description:
      'Erases what one submission says, and letters about it that were not sent yet: it cannot be taken back. ' +
      'Its ids stay, and so does what a contact took from it; service_erase_contact erases a person.',
    input: z.strictObject({ submission_id: z.uuid(), reason }),
    output: z.object({ submission_id: z.string(), erased_at: z.string() }),
    run: async (call, args) => {
      const done = await eraseSubmission(call.context, args.submission_id, args.reason);
      return {
        summary: call.preview
          ? 'Would erase what a form submission says, for good.'
          : `Submission ${done.submissionId} is erased.`,
        data: { submission_id: done.submissionId, erased_at: done.erasedAt },
      };
    },
  }),
  tool({
    ...common,
    pillar: 'studio',
    name: erasureTools.tests,
    title: 'Erase test data',
    description:
      `Erases what was submitted with test keys, and the contacts that nobody else has brought (test: true): it cannot be taken back. The first ones first, up to ` +
      `${mostTests} submissions and ${mostTests} contacts in one call; more says whether to call again. While test keys are in use, give before: what comes meanwhile makes an approval stale.`,
    input: z.strictObject({
      before: z.iso.datetime({ offset: true }).optional().meta({ description: 'RFC 3339; what came later stays.' }),
    }),
    output: z.object({ submissions: z.int(), contacts: z.int(), more: z.boolean() }),
    run: async (call, { before }) => {
      const done = await eraseTests(call.context, before);
      const what = `${counted(done.submissions, 'submission')} and ${done.contacts} ${done.contacts === 1 ? 'contact' : 'contacts'} of test keys`;
      const more = done.more ? ' There are more.' : '';
      return { summary: `${call.preview ? 'Would erase for good' : 'Erased'} ${what}.${more}`, data: { ...done } };
    },
  }),
];
