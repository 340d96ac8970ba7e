import { asItWas, operation } from '@steward/access';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { event } from '../events.ts';
import { manages } from '../operations.ts';
import { byReturn, goodsReturn, type GoodsReturn, holdReturn, returnIn, told } from './return.ts';
import { note } from './request.ts';

/** Moves a return on, where it is in one of these states. @throws Problem `return_state` (409) */
export async function moveReturn(
  tx: TenantTransaction,
  before: GoodsReturn,
  state: GoodsReturn['state'],
  from: readonly GoodsReturn['state'][],
  set: { readonly note?: string | undefined; readonly locationId?: string | undefined } = {},
): Promise<GoodsReturn> {
  const rows = await tx.query(
    statement(
      `update orders.return set state = $3, note = coalesce($4, note), location_id = coalesce($5::uuid, location_id),
         version = version + 1, updated_at = clock_timestamp()
       where tenant_id = $1::uuid and return_id = $2::uuid and state = any ($6::text[]) returning return_id`,
      [tx.context.tenant, before.id, state, set.note ?? null, set.locationId ?? null, from],
    ),
  );
  if (rows.length === 0) throw wrongState(before, from);
  return returnIn(tx, before.id);
}

export const wrongState = ({ state }: GoodsReturn, from: readonly GoodsReturn['state'][]): Error =>
  ordersFail('return_state', `The return is ${state}: it must be ${from.join(' or ')} for this.`);

/** Lets a return come. Approved already is success. @throws Problem `not_found` (404), `return_state` (409) */
export const approveReturn = operation(
  {
    ...manages,
    name: 'service_approve_return',
    input: z.strictObject(byReturn),
    answer: goodsReturn.answer,
    errors: ['not_found', 'return_state'],
  },
  async (scope, { returnId }) =>
    scope.write(async (tx) => {
      const before = await holdReturn(tx, returnId);
      if (before.state === 'approved') return asItWas(before);
      const after = await moveReturn(tx, before, 'approved', ['requested']);
      tx.record(event('commerce.return.approved', told(after)));
      return after;
    }),
);

/** Refuses a return, also once it was received: nothing is paid back for it then. Rejected already is success. @throws Problem `not_found` (404), `return_state` (409) */
export const rejectReturn = operation(
  {
    ...manages,
    name: 'service_reject_return',
    input: z.strictObject({ ...byReturn, note }),
    answer: goodsReturn.answer,
    errors: ['not_found', 'return_state'],
  },
  async (scope, { returnId, note: noted }) =>
    scope.write(async (tx) => {
      const before = await holdReturn(tx, returnId);
      if (before.state === 'rejected') return asItWas(before);
      const after = await moveReturn(tx, before, 'rejected', ['requested', 'approved', 'received'], { note: noted });
      tx.record(event('commerce.return.rejected', told(after)));
      return after;
    }),
);
