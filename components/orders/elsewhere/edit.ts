import { newId, parseAmount } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { presentVersion } from '../edits/asked.ts';
import { apply, keepVersion } from '../edits/kept.ts';
import { settleBalance } from '../edits/payments.ts';
import { versionOf } from '../edits/plan.ts';
import { tell } from '../edits/told.ts';
import type { VersionLine } from '../edits/version.ts';
import { leftToSend } from '../fulfilments/left.ts';
import { holdOrder, orderIn } from '../orders/order.ts';
import type { PlacedLine, Placing } from '../orders/placing.ts';
import { mostLines } from '../words.ts';

/**
 * Has the lines of an order be those that a marketplace says it has by now, with what it charges for them: fewer units of a line, or lines that were
 * added. A new version, as by `editOrder`. Stock is not reserved by it: `reserveElsewhere` is called then.
 * @returns `unlike` where it cannot be followed, and nothing was changed: what left or was paid back would be taken off, a line has more units than it
 * had, nothing would be left, or the buyer was erased
 * @throws Problem `not_found` (404), `order_too_often_edited` (409)
 */
export async function editElsewhere(
  tx: TenantTransaction,
  orderId: string,
  { lines: said, discounts }: Pick<Placing, 'lines' | 'discounts'>,
): Promise<'same' | 'edited' | 'unlike'> {
  const { tenant } = tx.context;
  const held = await holdOrder(tx, orderId);
  const { before, refunded } = await presentVersion(tx, held.id);
  const left = await leftToSend(tx, held);
  const byId = new Map(said.map((line) => [line.id, line]));
  let [isSame, isLike] = [true, true];
  const kept = before.lines.map((line): VersionLine => {
    const next = byId.get(line.id);
    byId.delete(line.id);
    const quantity = next?.quantity ?? 0;
    if (quantity === line.quantity) return line;
    isSame = false;
    const off = line.quantity - quantity;
    if (off < 0 || off > (left.get(line.id) ?? 0) || (refunded.units.get(line.id) ?? 0) > 0) isLike = false;
    if (next === undefined) return { ...line, quantity: 0, gross: 0n, discounts: [], net: 0n, tax: 0n, total: 0n };
    const { gross, discounts: own, net, tax, total } = next;
    return { ...line, quantity, gross, discounts: own, net, tax, total };
  });
  const first = before.lines.reduce((most, { position }) => Math.max(most, position), -1) + 1;
  const lines = [...kept, ...[...byId.values()].map((line, at) => added(line, first + at))];
  if (isSame && byId.size === 0) return 'same';
  const isOver = held.status === 'cancelled' || held.erasedAt !== null || held.unitsFulfilled >= held.units;
  if (!isLike || isOver || lines.length > mostLines || lines.every(({ quantity }) => quantity === 0)) return 'unlike';
  const named = new Map([...discounts, ...before.discounts].map((one) => [one.discountId, one]));
  const after = versionOf(lines, before.shipping, [...named.values()]);
  const editId = newId();
  const versionBefore = await keepVersion(tx, held.id);
  const version = await apply(tx, { held, address: undefined, after });
  await tx.query(sql`
    insert into orders.edit (tenant_id, edit_id, order_id, mode, version_before, version, readdressed)
    values (${tenant}::uuid, ${editId}::uuid, ${held.id}::uuid, ${held.mode}, ${versionBefore}::int, ${version}::int, false)`);
  const changed = await orderIn(tx, held.id);
  if (changed === undefined) throw new Error(`order ${held.id} is gone although it is held`);
  const due = parseAmount(changed.balanceDue.amount, held.currency) ?? 0n;
  await settleBalance(tx, { ...changed, due }, editId);
  await tell(tx, { editId, versionBefore, version, readdressed: false, held });
  return 'edited';
}

function added({ taxed, ...line }: PlacedLine, position: number): VersionLine {
  return { ...line, ...taxed, position };
}
