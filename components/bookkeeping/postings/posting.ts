import { count, field, id, moment, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { statement, type Statement } from '@steward/sql';
import { z } from 'zod';
import { kinds, states } from '../words.ts';

/** What is due in the books for an order or for goods that were moved: of `bookkeeping.posting` named `p`. */
export const posting = shape('p', {
  id: id('p.posting_id'),
  /** Null: of goods that no order moved. */
  orderId: nullable(id()),
  kind: oneOf(kinds),
  /** What it is for: the order, what moved its money, or what moved goods, such as a fulfilment; or an edit. */
  sourceId: id(),
  state: oneOf(states),
  /** Why it waits or was left out. */
  reason: nullable(text()),
  /** The same in words. */
  detail: nullable(text()),
  /** Of the books. */
  documentId: nullable(id()),
  paymentId: nullable(id()),
  /** That one and the further ones: what was paid more than once is given back by more than one. */
  paymentIds: field(z.array(z.uuid()), `array_remove(p.payment_id || p.further_payment_ids, null)`),
  entryId: nullable(id()),
  /** Of an invoice: the version of the order that it has. */
  orderVersion: nullable(count()),
  /** How often it was tried in vain. */
  attempts: count(),
  /** When it is tried again; null: not by itself. */
  nextAt: nullable(moment()),
  createdAt: moment(),
  updatedAt: moment(),
});
export type Posting = Of<typeof posting>;

/** Postings of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectPostings = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${posting.columns} from bookkeeping.posting p where p.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);
