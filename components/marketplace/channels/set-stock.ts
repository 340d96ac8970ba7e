import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { event } from '../events.ts';
import { beginImport } from '../imports/begin.ts';
import { connects } from '../operations.ts';
import type { ChannelPorts } from '../ports.ts';
import { sides } from '../words.ts';
import { byChannel, type Channel, channel, holdChannel, requireConnected } from './channel.ts';

/**
 * Says which side counts the stock of a channel, and has the other follow from now on: first of all what it has. The shop is imported once more, so that
 * all that it has sold is known.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `conflict` (409) where the shop is not connected, or not read yet
 */
export const setChannelStock = operation(
  {
    ...connects,
    name: 'service_set_channel_stock',
    input: z.strictObject({
      ...byChannel,
      stock: z.enum(sides).meta({
        description:
          'here: the shop may sell what is available at the location of the channel here. shop: what the shop has is on hand here. none: the two are counted apart.',
      }),
      shopLocationId: z
        .string()
        .regex(/^\d{1,25}$/)
        .optional()
        .meta({
          description:
            'The location of the shop that is the one of the channel, from `shop_locations` of service_list_channels. Default: as before, or the only one.',
        }),
    }),
    answer: channel.answer,
    errors: { not_found: 'channelId', conflict: 'channelId' },
  },
  async (scope, { channelId, stock, shopLocationId }, { wake }: ChannelPorts): Promise<Channel> =>
    scope.write(async (tx) => {
      const held = await holdChannel(tx, channelId);
      const place = stock === 'none' ? held.shopLocationId : placeIn(held, shopLocationId);
      if (held.stock === stock && held.shopLocationId === place) return asItWas(held);
      if (stock !== 'none') requireConnected(held);
      const [row = {}] = await tx.query(
        statement(
          `update marketplace.channel c set stock = $3, shop_location = $4, version = c.version + 1, updated_at = clock_timestamp()
           where c.tenant_id = $1::uuid and c.channel_id = $2::uuid returning ${channel.columns}`,
          [tx.context.tenant, channelId, stock, place],
        ),
      );
      await tx.query(sql`
        update marketplace.inventory set known = null
        where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid`);
      if (stock !== 'none') await beginImport(tx, channelId);
      tx.record(
        event('commerce.channel.stock_set', {
          channel_id: channelId,
          version: channel.read(row).version,
          stock,
          shop_location_id: place,
          content_sha256: await contentOf(tx, channelId),
        }),
      );
      tx.afterCommit(wake);
      return holdChannel(tx, channelId);
    }),
);

/** @throws Problem `invalid_request` (400) with pointers, `conflict` (409) */
function placeIn({ shopLocations, shopLocationId: before }: Channel, wanted: string | undefined): string {
  if (shopLocations.length === 0)
    throw fail(
      'conflict',
      'The locations of the shop were not read yet: call it again once `imports` of the channel says that its webhooks are done.',
    );
  const [first, ...others] = shopLocations;
  const only = others.length === 0 ? first?.id : undefined;
  const place = wanted ?? before ?? only;
  if (place !== undefined && shopLocations.some(({ id }) => id === place)) return place;
  const named = shopLocations
    .slice(0, 10)
    .map(({ id, name }) => `${id} (${name})`)
    .join(', ');
  const detail = `Name the location of the shop that is the one of the channel: ${named}.`;
  throw fail('invalid_request', detail, {
    errors: [{ pointer: '/shopLocationId', code: wanted === undefined ? 'required' : 'unknown', detail }],
  });
}
