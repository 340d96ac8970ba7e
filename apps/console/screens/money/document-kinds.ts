export const documentKinds = ['invoice', 'credit_note', 'bill', 'supplier_credit'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** What takes back what an invoice or a bill charges. */
export const creditKindOf = (kind: DocumentKind): DocumentKind => (kind === 'bill' ? 'supplier_credit' : 'credit_note');
