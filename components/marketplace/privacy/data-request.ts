import { asItWas, operation } from '@steward/access';
import type { Projection } from '@steward/callbacks';
import { fail } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { byChannel, type Channel, channel, holdChannel } from '../channels/channel.ts';
import { channelOf } from '../channels/of-delivery.ts';
import { announcement, event } from '../events.ts';
import { operates } from '../operations.ts';
import { uuidOf } from '../uuid-of.ts';
import { ordersOf, personIn, requireShop } from './person.ts';

/** A buyer of the shop asks what is known of them: whoever runs the organization answers within thirty days, and is told whom it is about by ids. */
export const dataRequested: Projection = {
  apply: async (tx, delivery) => {
    requireShop(delivery);
    const own = await channelOf(tx, delivery);
    if (own === undefined) return [];
    const person = personIn(delivery.data, 'orders_requested');
    const found = await ordersOf(tx, own, person);
    const requestId = uuidOf('marketplace/data-request', own.id, delivery.eventId);
    const contactId = found.find((one) => one.contactId !== null)?.contactId ?? null;
    await tx.query(sql`
      insert into marketplace.data_request (tenant_id, request_id, channel_id, contact_id, order_ids)
      values (${tx.context.tenant}::uuid, ${requestId}::uuid, ${own.id}::uuid, ${contactId}::uuid, ${found.map(({ orderId }) => orderId)}::uuid[])
      on conflict do nothing`);
    tx.record(event('commerce.channel.data_requested', { channel_id: own.id, request_id: requestId }));
    tx.publish(
      announcement('commerce.channel.data_requested', { channelId: own.id, requestId, contactId }, { subject: own.id }),
    );
    return [{ kind: 'data_request', id: requestId }];
  },
};

/**
 * Notes that a buyer was told what is known of them. Noted already is success.
 * @throws Problem `not_found` (404)
 */
export const answerDataRequest = operation(
  {
    ...operates,
    name: '',
    input: z.strictObject({
      ...byChannel,
      requestId: z.uuid().meta({ description: 'From `dataRequests` of the channel.' }),
    }),
    answer: channel.answer,
    errors: { not_found: 'requestId' },
  },
  async (scope, { channelId, requestId }): Promise<Channel> =>
    scope.write(async (tx) => {
      const held = await holdChannel(tx, channelId);
      const [row] = await tx.query<{ answered: boolean }>(sql`
        select answered_at is not null as answered from marketplace.data_request
        where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and request_id = ${requestId}::uuid for update`);
      if (row === undefined) throw fail('not_found', 'The channel has no such request: read it again.');
      if (row.answered) return asItWas(held);
      await tx.query(sql`
        update marketplace.data_request set answered_at = clock_timestamp()
        where tenant_id = ${tx.context.tenant}::uuid and request_id = ${requestId}::uuid`);
      tx.record(event('commerce.channel.data_request_answered', { channel_id: channelId, request_id: requestId }));
      return holdChannel(tx, channelId);
    }),
);
