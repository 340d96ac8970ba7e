import { everyone, heavily, permit } from '@steward/access';

export const readSelling = permit('selling.read', everyone, 'read');
/** What tax is asked for where: who answers for the books. */
export const manageTax = permit('selling.tax', ['owner', 'admin', 'accountant', 'platform']);
export const manageSelling = permit('selling.manage', ['owner', 'admin', 'merchandiser', 'platform']);
/** Carts and checkouts of buyers: a door acts for them, and no member does. */
export const serveBuyers = permit('selling.serve', ['platform']);
/** What buyers left is counted, and deleted where it becomes too much. */
export const keepDrafts = heavily(permit('selling.keep_drafts', ['platform']));
