import { fail } from '@steward/kernel';
import { z } from 'zod';
import type { Side } from '../subledger/side.ts';

export const documentKinds = ['invoice', 'credit_note', 'bill', 'supplier_credit'] as const;
export const documentKind = z.enum(documentKinds);

/** `paid` is issued with nothing left open. */
export const documentStatus = z.enum(['draft', 'issued', 'paid', 'void']);
export type DocumentKind = z.output<typeof documentKind>;

interface Nature {
  readonly side: Side;
  /** Whether it is to be paid, or pays. */
  readonly nature: 'charge' | 'credit';
  /** Before the number; each kind counts for itself, one running number for as long as the books last. */
  readonly prefix: string;
  readonly title: string;
}

/** One design for all four kinds, which differ in their side of the books and their direction. */
export const natures: Readonly<Record<DocumentKind, Nature>> = {
  invoice: { side: 'receivable', nature: 'charge', prefix: 'INV', title: 'Invoice' },
  credit_note: { side: 'receivable', nature: 'credit', prefix: 'CN', title: 'Credit note' },
  bill: { side: 'payable', nature: 'charge', prefix: 'BILL', title: 'Bill' },
  supplier_credit: { side: 'payable', nature: 'credit', prefix: 'SC', title: 'Supplier credit' },
};

export const numberOf = (kind: DocumentKind | 'payment', number: bigint): string =>
  `${kind === 'payment' ? 'PAY' : natures[kind].prefix}-${number.toString().padStart(5, '0')}`;

export const unknownDocument = (): Error =>
  fail('not_found', 'There is no such document in this tenant: list the documents for their ids.');
