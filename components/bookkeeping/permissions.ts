import { everyone, permit } from '@steward/access';

export const readPostings = permit('order_postings.read', everyone, 'read');
/** How orders get into the books: who answers for the books. */
export const managePostings = permit('order_postings.manage', ['owner', 'admin', 'accountant', 'platform']);
/** What the system posts under the profile that a person set. */
export const carryPostings = permit('order_postings.carry', ['platform']);
