import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { newId, parseAmount } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { announcement, event } from '../events.ts';
import { invalidAt } from '../money.ts';
import { amends } from '../operations.ts';
import { holdOrder, order, orderIn } from '../orders/order.ts';
import type { OrdersPorts } from '../ports.ts';
import { mostLines } from '../words.ts';
import { addressOf, presentVersion, quantitiesOf, requireEditable } from './asked.ts';
import { orderEdit, presentEdit } from './edit.ts';
import { editGiven, type EditGiven } from './given.ts';
import { apply, keepVersion } from './kept.ts';
import { settleBalance } from './payments.ts';
import { planned, requireReasonable, requireShown } from './planned.ts';
import { reserveLeft } from './stock.ts';
import { editIn } from './stored.ts';
import { note, tell } from './told.ts';

type EditPorts = Pick<OrdersPorts, 'quoteEdit' | 'noteOnTimeline' | 'mediaAt'>;

/** What an edit answers: itself, and the order as it is then. */
const editedAnswer = z.object({ edit: orderEdit, order: order.answer });

type Edited = Fixed<z.output<typeof editedAnswer>>;

/**
 * Changes what an order is made of before that leaves, and where it goes: fewer units of its lines, more lines, another address. It makes a new version of the order, and the one before
 * stays readable. What is taken off gives its stock back and what is added is reserved, by one statement. It moves no money: what is more to pay is awaited, and
 * what was paid too much leaves by a refund alone.
 * @throws Problem `not_found` (404), `invalid_request` (400), `order_changed`, `order_cancelled`, `order_fulfilled`, `order_erased`,
 * `order_too_often_edited`, `line_refunded`, `more_than_open`, `other_price`, `stock_insufficient` (409)
 */
export const editOrder = operation(
  {
    ...amends,
    name: 'service_edit_order',
    input: editGiven,
    answer: editedAnswer,
    errors: [
      'not_found',
      'order_changed',
      'order_cancelled',
      'order_fulfilled',
      'order_erased',
      'order_too_often_edited',
      'line_refunded',
      'more_than_open',
      'other_price',
      'stock_insufficient',
    ],
  },
  async (scope, asked, ports: EditPorts) => scope.write(async (tx) => edit(tx, asked, ports)),
);

/** What an edit would make of an order, all of it: it is carried out and undone. */
export const previewEdit = operation(
  { ...amends, name: 'service_edit_order', input: editGiven, answer: editedAnswer, errors: editOrder.errors ?? [] },
  async (scope, asked, ports: EditPorts) => {
    try {
      return await scope.write(async (tx): Promise<Edited> => {
        throw new Undone(await edit(tx, asked, ports));
      });
    } catch (error) {
      if (error instanceof Undone) return error.answer;
      throw error;
    }
  },
);

class Undone extends Error {
  readonly answer: Edited;
  constructor(answer: Edited) {
    super('undone');
    this.answer = answer;
  }
}

async function edit(tx: TenantTransaction, asked: EditGiven, ports: EditPorts): Promise<Edited> {
  const { tenant } = tx.context;
  const held = await holdOrder(tx, asked.orderId);
  requireEditable(held, asked);
  const found = await presentVersion(tx, held.id);
  const { before } = found;
  const lowered = await quantitiesOf(tx, held, asked, found.refunded);
  const address = addressOf(held, asked);
  if (lowered.size === 0 && asked.add === undefined && address === undefined)
    throw invalidAt('', 'nothing_to_edit', 'Give lines with fewer units, units to add, or another address.');
  if (before.lines.length + (asked.add?.length ?? 0) > mostLines)
    throw invalidAt('/add', 'too_many', `An order has ${mostLines} lines at most, those that were taken off too.`);
  const after = await planned(tx, { held, asked, before, bought: found.bought, lowered, address, ports });
  requireReasonable(after, before, held);
  requireShown(after, asked, held);

  const editId = newId();
  const versionBefore = await keepVersion(tx, held.id);
  const version = await apply(tx, { held, address, after });
  await tx.query(sql`
    insert into orders.edit (tenant_id, edit_id, order_id, mode, version_before, version, readdressed)
    values (${tenant}::uuid, ${editId}::uuid, ${held.id}::uuid, ${held.mode}, ${versionBefore}::int, ${version}::int, ${address !== undefined})`);
  const changed = await orderIn(tx, held.id);
  if (changed === undefined) throw new Error(`order ${held.id} is gone although it is held`);
  if (lowered.size > 0 || asked.add !== undefined) await reserveLeft(tx, changed, asked);
  const minor = (amount: { readonly amount: string }): bigint => parseAmount(amount.amount, held.currency) ?? 0n;
  await settleBalance(tx, { ...changed, due: minor(changed.balanceDue) }, editId);
  await tell(tx, { editId, versionBefore, version, readdressed: address !== undefined, held });
  if (held.contactId !== null && held.mode === 'live') await note(tx, held, held.contactId, ports);
  const [made, done] = [await editIn(tx, editId), await orderIn(tx, held.id)];
  if (made === undefined || done === undefined) throw new Error(`edit ${editId} is gone although it was made`);
  if (done.paymentStatus === 'paid' && held.paymentStatus !== 'paid' && minor(done.captured) > 0n) {
    const { id, mode, currency, captured } = done;
    tx.record(event('commerce.order.paid', { order_id: id, mode, currency, captured: captured.amount }));
    tx.publish(announcement('commerce.order.paid', { orderId: id, mode }, { subject: id }));
  }
  return { edit: presentEdit(made), order: done };
}
