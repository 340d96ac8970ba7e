import { permit, roles } from '@steward/kernel';

export const readBooks = permit('books.read', [...roles, 'platform']);
/** Posting, documents, bank, rates. */
export const keepBooks = permit('books.keep', ['owner', 'admin', 'accountant', 'platform']);
/** Months and years. */
export const closeBooks = permit('books.close', ['owner', 'admin', 'accountant']);
