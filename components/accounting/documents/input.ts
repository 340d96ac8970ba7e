import type { DocumentKind } from './kind.ts';
import type { Pricing } from './totals.ts';

export interface DocumentLineInput {
  readonly description: string;
  /** A decimal string above zero with up to six digits behind the point. */
  readonly quantity: string;
  /** A decimal string with up to six digits behind the point, below zero for what is taken off. */
  readonly unitPrice: string;
  /** Code or id. */
  readonly account: string;
  readonly taxId?: string | undefined;
}

/** What a draft says; a changed draft says all of it anew. */
export interface DocumentInput {
  readonly partyId: string;
  /** `YYYY-MM-DD` */
  readonly issueDate: string;
  /** The party's terms after the issue date where none is given. */
  readonly dueDate?: string | undefined;
  /** The party's where none is given. */
  readonly currency?: string | undefined;
  /** Whether unit prices are without tax (as they are where nothing is said) or with it. */
  readonly pricing?: Pricing | undefined;
  /** The number the supplier gave a bill. */
  readonly supplierNumber?: string | undefined;
  readonly reference?: string | undefined;
  readonly notes?: string | undefined;
  /** The document that a credit takes back. */
  readonly credits?: string | undefined;
  /** 1 to `mostLines`. */
  readonly lines: readonly DocumentLineInput[];
}

export interface NewDocument extends DocumentInput {
  readonly kind: DocumentKind;
  /** The same key and content again answers with the document that was made. */
  readonly idempotencyKey?: string | undefined;
}
