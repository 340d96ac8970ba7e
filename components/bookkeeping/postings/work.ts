import type { Booked, DocumentLanguage } from '@steward/accounting';
import type { Order } from '@steward/orders';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { BookPorts } from '../ports.ts';
import type { ProfileAccounts } from '../profile/profile.ts';
import type { State } from '../words.ts';
import type { Posting } from './posting.ts';

/** Who carries out: the system as far as the profile lets it, or people, who decide about this one. */
export interface Carrying {
  readonly people: boolean;
  /** The day to post on; that of what happened, where none is given. */
  readonly date?: string | undefined;
}

/** What the cost of goods takes, which needs no order. */
export interface CostWork extends Carrying {
  readonly tx: TenantTransaction;
  /** The transaction's own, so that whatever several verbs of the books do is one effect. */
  readonly context: TenantContext;
  readonly profile: ProfileAccounts;
  readonly own: Posting;
  /** Of the order, its own too; all are locked. */
  readonly all: readonly Posting[];
}

export interface Work extends CostWork {
  readonly order: Order;
  /** Of invoices and credit notes. */
  readonly language: DocumentLanguage;
  readonly ports: BookPorts;
}

/** What became of it. */
export interface Outcome {
  readonly state: Exclude<State, 'due'>;
  readonly reason?: string;
  readonly documentId?: string;
  readonly paymentIds?: readonly string[];
  readonly entryId?: string;
  /** Of an invoice. */
  readonly orderVersion?: number;
  readonly booked?: Booked;
  /** What became of others of the order with it, such as the draft of the invoice, which an edit makes anew. */
  readonly also?: readonly (readonly [Posting, Outcome])[];
}
