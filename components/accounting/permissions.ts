import { everyone, permit } from '@steward/access';

export const readBooks = permit('books.read', everyone, 'read');
/** Posting, documents, bank, rates. */
export const keepBooks = permit('books.keep', ['owner', 'admin', 'accountant', 'platform']);
/** Months and years. */
export const closeBooks = permit('books.close', ['owner', 'admin', 'accountant']);
/** What suppliers were paid, beside their tax numbers: for those who file it. */
export const readTaxForms = permit('tax_forms.read', ['owner', 'admin', 'accountant', 'platform'], 'read');
