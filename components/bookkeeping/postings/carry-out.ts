import { type Booked, languageOfSeller } from '@steward/accounting';
import { orderIn } from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import { event } from '../events.ts';
import type { BookPorts } from '../ports.ts';
import { keptOf, selectProfile, profileAccounts } from '../profile/profile.ts';
import type { Kind } from '../words.ts';
import { allocation } from './allocation.ts';
import { bill } from './bill.ts';
import { cancellation } from './cancellation.ts';
import { cost } from './cost.ts';
import { editCharge } from './edit-charge.ts';
import { editCredit } from './edit-credit.ts';
import { payment } from './payment.ts';
import { posting, type Posting, selectPostings } from './posting.ts';
import { refund } from './refund.ts';
import type { Carrying, Outcome, Work } from './work.ts';

const ofOrders: Readonly<Record<Exclude<Kind, 'cost'>, (work: Work) => Promise<Outcome>>> = {
  invoice: bill,
  payment,
  refund,
  cancellation,
  edit_credit: editCredit,
  edit_charge: editCharge,
  allocation,
};
const nothing: Booked = { entries: [], effects: [] };

/**
 * Carries out what is due, once: under the lock of all that is due for the order, in one transaction with what it makes in the books. What is settled
 * already stays as it is, but for what came from the books, which may take it back.
 * @throws Problem whatever the books refuse; then nothing of it is done
 */
export async function carryOut(
  tx: TenantTransaction,
  ports: BookPorts,
  id: string,
  carrying: Carrying,
): Promise<{ readonly posting: Posting; readonly booked: Booked } | undefined> {
  const { tenant } = tx.context;
  const rows = await tx.query(
    selectPostings(
      `(p.posting_id = $2::uuid
         or p.order_id = (select o.order_id from bookkeeping.posting o where o.tenant_id = $1::uuid and o.posting_id = $2::uuid))
       order by p.posting_id for update`,
      tenant,
      id,
    ),
  );
  const all = rows.map(posting.read);
  const own = all.find((one) => one.id === id.toLowerCase());
  if (own === undefined) return undefined;
  if ((own.state === 'posted' && own.kind !== 'allocation') || (own.state === 'left_out' && !carrying.people))
    return { posting: own, booked: nothing };
  const [kept] = await tx.query(selectProfile(tenant));
  const profile = await profileAccounts(tx, keptOf(kept));
  const context = within(tx.context, tx);
  const work = { ...carrying, tx, context, profile, own };
  const outcome =
    own.kind === 'cost' ? await cost({ ...work, all }) : await ofOrder({ ...work, all, ports }, ofOrders[own.kind]);
  for (const [other, became] of outcome.also ?? []) await settle(tx, other, became);
  return { posting: await settle(tx, own, outcome), booked: outcome.booked ?? nothing };
}

async function ofOrder(
  work: Omit<Work, 'order' | 'language'>,
  carry: (work: Work) => Promise<Outcome>,
): Promise<Outcome> {
  const { orderId } = work.own;
  const order = orderId === null ? undefined : await orderIn(work.tx, orderId);
  if (order === undefined) return { state: 'left_out', reason: 'order_deleted' };
  return carry({ ...work, order, language: await languageOfSeller(work.tx) });
}

/** Whether the log holds what it is. */
const isSettled = ({ state }: Posting): boolean => state !== 'due' && state !== 'waiting';

async function settle(tx: TenantTransaction, own: Posting, outcome: Outcome): Promise<Posting> {
  const { state, reason = null, documentId = own.documentId, paymentIds = own.paymentIds } = outcome;
  const [paymentId = null, ...further] = paymentIds;
  const { entryId = own.entryId, orderVersion = own.orderVersion } = outcome;
  if (state === own.state && documentId === own.documentId && paymentId === own.paymentId) {
    await tx.query(sql`
      update bookkeeping.posting set next_at = null
      where tenant_id = ${tx.context.tenant}::uuid and posting_id = ${own.id}::uuid`);
    return { ...own, nextAt: null };
  }
  await tx.query(sql`
    update bookkeeping.posting set state = ${state}, reason = ${reason}, detail = null, document_id = ${documentId}::uuid,
      payment_id = ${paymentId}::uuid, further_payment_ids = ${further}::uuid[], entry_id = ${entryId}::uuid, order_version = ${orderVersion}::int, next_at = null, updated_at = clock_timestamp()
    where tenant_id = ${tx.context.tenant}::uuid and posting_id = ${own.id}::uuid`);
  if (state !== 'waiting' || isSettled(own))
    tx.record(
      event('commerce.order_posting.settled', {
        posting_id: own.id,
        order_id: own.orderId,
        kind: own.kind,
        source_id: own.sourceId,
        state,
        document_id: documentId,
        payment_id: paymentId,
        further_payment_ids: further,
        order_version: orderVersion,
        entries: outcome.booked?.entries.map((one) => one.id) ?? [],
      }),
    );
  // What waits for it is looked at again, also where another process is just finding that it must wait.
  if (own.kind !== 'cost' && (state === 'posted' || state === 'left_out'))
    await tx.query(sql`
      update bookkeeping.posting set next_at = clock_timestamp()
      where tenant_id = ${tx.context.tenant}::uuid and order_id = ${own.orderId}::uuid and state in ('due', 'waiting') and kind <> 'cost'`);
  const [row] = await tx.query(selectPostings('p.posting_id = $2::uuid', tx.context.tenant, own.id));
  return row === undefined ? own : posting.read(row);
}
