import { operation } from '@steward/access';
import {
  amount,
  count,
  id,
  moment,
  nullable,
  oneOf,
  pageCursor,
  pageLimit,
  pageOf,
  shape,
  text,
} from '@steward/contract';
import { afterAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { statuses } from './session.ts';

const standing = `case when s.status in ('open', 'ready') and s.expires_at <= clock_timestamp() then 'expired' else s.status end`;

/** What lists say of a checkout: of `checkout.session` named `s`. */
const checkoutSummary = shape('s', {
  id: id('s.checkout_id'),
  status: oneOf(statuses, standing),
  mode: oneOf(['live', 'test']),
  brandId: id(),
  /** Null: it was made of lines, without a cart. */
  cartId: nullable(id()),
  email: nullable(text()),
  name: nullable(text()),
  currency: text(),
  total: amount(),
  /** Pieces. */
  units: count(),
  /** Of a completed one. */
  orderId: nullable(id()),
  orderNumber: nullable(text()),
  createdAt: moment(),
  updatedAt: moment(),
  expiresAt: moment(),
});

/** A page of checkouts, newest first. */
export const listCheckouts = operation(
  {
    ...reads,
    name: 'service_list_checkouts',
    input: z.strictObject({
      status: z.enum(statuses).optional().meta({
        description: '`expired`: its buyer left it. `ready`: its buyer has only to pay. Default: every status.',
      }),
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(checkoutSummary.answer),
  },
  async ({ context, read }, { status, limit, cursor = afterAllIds }) => {
    const rows = await read(
      statement(
        `select ${checkoutSummary.columns} from checkout.session s
         where s.tenant_id = $1::uuid and s.checkout_id < $2::uuid and ($3::text is null or ${standing} = $3)
         order by s.checkout_id desc limit $4::int`,
        [context.tenant, cursor, status ?? null, limit + 1],
      ),
    );
    return page(rows, limit, checkoutSummary.read, ({ id: last }) => last);
  },
);
