import { everyone, permit } from '@steward/access';

export const readStudio = permit('studio.read', everyone, 'read');
/** Sites, keys and forms: who builds the shop's pages and who fills them. */
export const manageStudio = permit('studio.manage', ['owner', 'admin', 'developer', 'merchandiser']);
/** What the reader of an address wants, and what mail servers do with it. */
export const answerForRecipient = permit('studio.recipient', ['platform']);
/** The storefront's own reading, behind a key and without a member. */
export const serveStorefront = permit('studio.serve', ['platform']);
