import { toolOf, type Tool } from '@steward/tools';
import { getPostingProfile } from './get.ts';
import type { PostingProfile } from './profile.ts';
import { updatePostingProfile } from './update.ts';

const does: Readonly<Record<PostingProfile['mode'], string>> = {
  off: 'Orders do nothing to the books.',
  drafts: 'Each order makes a draft invoice, which people issue.',
  post: 'Orders issue invoices and record payments, refunds and the cost of sold goods, without anybody being asked.',
};
const said = ({ mode, salesAccount }: PostingProfile): string =>
  `${does[mode]} Sales go to ${salesAccount === null ? 'no account: choose one' : `${salesAccount.code} ${salesAccount.name}`}.`;

export const profileTools: readonly Tool[] = [
  toolOf(getPostingProfile, {
    rare: true,
    core: false,
    title: 'Read the posting profile',
    description:
      'Reads what orders do to the books (off, drafts, post) and the accounts that they use. `chosen: false` marks an account ' +
      'that the books have for this by default; null means that there is none, and orders wait.',
    say: said,
  }),
  toolOf(updatePostingProfile, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change the posting profile',
    description:
      'Changes only the given members of the posting profile: whether orders post to the books by themselves, and to which ' +
      'accounts. What was posted before stays as it is.',
    preview: ({ version: _version, ...rest }) => rest,
    say: (changed, preview) => (preview ? `Would change the posting profile: ${said(changed)}` : said(changed)),
  }),
];
