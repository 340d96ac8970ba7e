export const documentKinds = ['invoice', 'credit_note', 'bill', 'supplier_credit'] as const;
export type DocumentKind = (typeof documentKinds)[number];
