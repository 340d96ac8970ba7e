import { operation } from '@steward/access';
import { line, pageCursor, pageLimit, pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { afterAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { fulfilmentStatuses, modes, paymentStatuses, statuses } from '../words.ts';
import type { OrdersPorts } from '../ports.ts';
import { balanceDue, orderSummary, selectOrders } from './order.ts';

const time = (says: string) => z.iso.datetime({ offset: true }).optional().meta({ description: says });

/** A page of orders, the newest first, that meet all filters. @throws Problem `invalid_request` (400) for a period that ends before it begins, `not_found` (404) for a contact that is not there */
export const listOrders = operation(
  {
    ...reads,
    name: 'service_list_orders',
    input: z.strictObject({
      mode: z.enum(modes).default('live').meta({ description: 'test: orders of test keys.' }),
      status: z.enum(statuses).optional().meta({ description: 'closed: nothing is left to send or to be paid.' }),
      paymentStatus: z.enum(paymentStatuses).optional().meta({ description: 'How much of it is paid.' }),
      due: z.boolean().optional().meta({ description: 'true: something is still to be paid.' }),
      fulfilmentStatus: z.enum(fulfilmentStatuses).optional().meta({ description: 'How much of it has left.' }),
      email: line(320)
        .refine((text) => text.includes('@'), 'Give an e-mail address such as ann@example.com')
        .optional()
        .meta({ description: 'Orders of this e-mail address, in any case.' }),
      number: z
        .string()
        .regex(/^(?:TEST-)?[1-9][0-9]{0,14}$/, 'Give a number as orders show it, such as 1001 or TEST-1001')
        .optional()
        .meta({ description: 'The order of this number, such as 1001 or TEST-1001, whichever the mode is.' }),
      contactId: z.uuid().optional().meta({ description: 'Orders of this contact.' }),
      channelId: z.uuid().optional().meta({
        description: 'Orders that were placed in this shop at a marketplace, from service_list_channels.',
      }),
      externalName: line(100)
        .optional()
        .meta({ description: 'Orders that a shop at a marketplace calls exactly this, such as #1001.' }),
      tag: line(100).optional().meta({ description: 'Orders with exactly this tag.' }),
      placedFrom: time('Orders that were placed at this time (RFC 3339) or later.'),
      placedBefore: time('Orders that were placed before this time (RFC 3339).'),
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(orderSummary.answer),
    errors: ['not_found'],
  },
  async (
    { context, read },
    { limit, cursor = afterAllIds, ...wanted },
    { contactsById }: Pick<OrdersPorts, 'contactsById'>,
  ) => {
    const { number, placedFrom, placedBefore } = wanted;
    if (placedFrom !== undefined && placedBefore !== undefined && Date.parse(placedBefore) <= Date.parse(placedFrom)) {
      const detail = 'The period ends before it begins.';
      throw fail('invalid_request', detail, { errors: [{ pointer: '/placedBefore', code: 'period_empty', detail }] });
    }
    const mode = number === undefined ? wanted.mode : number.startsWith('TEST-') ? 'test' : 'live';
    const filters: readonly (readonly [value: unknown, condition: (at: string) => string])[] = [
      [mode, (at) => `o.mode = ${at}`],
      [wanted.status, (at) => `o.status = ${at}`],
      [wanted.paymentStatus, (at) => `o.payment_status = ${at}`],
      [wanted.due, (at) => `((${balanceDue}) > 0) = ${at}::bool`],
      [wanted.fulfilmentStatus, (at) => `o.fulfilment_status = ${at}`],
      [wanted.email?.toLowerCase(), (at) => `o.email_key = ${at}`],
      [number?.replace('TEST-', ''), (at) => `o.number = ${at}::bigint`],
      [wanted.contactId, (at) => `o.contact_id = ${at}::uuid`],
      [wanted.channelId, (at) => `o.channel_id = ${at}::uuid`],
      [wanted.externalName, (at) => `o.external_name = ${at}`],
      [
        wanted.tag,
        (at) =>
          `exists (select from orders.tag g where g.tenant_id = o.tenant_id and g.order_id = o.order_id and g.tag = ${at})`,
      ],
      [placedFrom, (at) => `o.placed_at >= ${at}::timestamptz`],
      [placedBefore, (at) => `o.placed_at < ${at}::timestamptz`],
    ];
    const given = filters.filter(([value]) => value !== undefined);
    const conditions = given.map(([, condition], index) => condition(`$${index + 4}`));
    const rows = await read(
      selectOrders(
        orderSummary.columns,
        ['o.order_id < $2::uuid', ...conditions].join(' and ') + ' order by o.order_id desc limit $3::int',
        context.tenant,
        cursor,
        limit + 1,
        ...given.map(([value]) => value),
      ),
    );
    const { contactId } = wanted;
    if (rows.length === 0 && contactId !== undefined && !(await contactsById(context, [contactId])).has(contactId))
      throw fail('not_found', 'There is no such contact in this tenant.');
    return page(rows, limit, orderSummary.read, ({ id }) => id);
  },
);
