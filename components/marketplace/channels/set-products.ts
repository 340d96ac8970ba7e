import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { marketplaceFail } from '../errors.ts';
import { event } from '../events.ts';
import { beginImport } from '../imports/begin.ts';
import { connects } from '../operations.ts';
import type { ChannelPorts } from '../ports.ts';
import { writesProducts } from '../shopify/shop.ts';
import { describing } from '../words.ts';
import { byChannel, type Channel, channel, holdChannel, requireConnected } from './channel.ts';

/**
 * Says which side describes the products of a channel, and has the other follow from now on: first of all what it has.
 * @throws Problem `not_found` (404), `consent_missing` (409), `conflict` (409) where the shop is not connected, or its products not imported yet
 */
export const setChannelProducts = operation(
  {
    ...connects,
    name: 'service_set_channel_products',
    input: z.strictObject({
      ...byChannel,
      products: z.enum(describing).meta({
        description:
          'here: products of the channel are in the shop as they are described here, and what somebody changes there is set back. shop: they are here as the shop describes them.',
      }),
    }),
    answer: channel.answer,
    errors: { not_found: 'channelId', consent_missing: null, conflict: 'channelId' },
  },
  async (scope, { channelId, products }, { wake }: ChannelPorts): Promise<Channel> =>
    scope.write(async (tx) => {
      const held = await holdChannel(tx, channelId);
      if (held.products === products) return asItWas(held);
      if (products === 'here') requireDescribable(held);
      const [row = {}] = await tx.query(
        statement(
          `update marketplace.channel c set products = $3, version = c.version + 1, updated_at = clock_timestamp()
           where c.tenant_id = $1::uuid and c.channel_id = $2::uuid returning ${channel.columns}`,
          [tx.context.tenant, channelId, products],
        ),
      );
      if (products === 'here')
        await tx.query(sql`
          insert into marketplace.listing as l (tenant_id, channel_id, product_id, external_id)
          select k.tenant_id, k.channel_id, k.id, max(k.external_id) from marketplace.link k
          where k.tenant_id = ${tx.context.tenant}::uuid and k.channel_id = ${channelId}::uuid and k.kind = 'product' group by 1, 2, 3
          on conflict (tenant_id, channel_id, product_id) do update set said = null, had = null, due_at = clock_timestamp()`);
      if (held.status === 'connected') await beginImport(tx, channelId);
      tx.record(
        event('commerce.channel.products_set', {
          channel_id: channelId,
          version: channel.read(row).version,
          products,
          content_sha256: await contentOf(tx, channelId),
        }),
      );
      tx.afterCommit(wake);
      return holdChannel(tx, channelId);
    }),
);

/** @throws Problem `consent_missing`, `conflict` (409) */
function requireDescribable(held: Channel): void {
  requireConnected(held);
  const { scopes, imports, shop } = held;
  if (!scopes.includes(writesProducts))
    throw marketplaceFail(
      'consent_missing',
      `The shop has not granted ${writesProducts}: open /marketplace/install?shop=${shop} of commerce again, consent, and connect the shop by the code that is shown. The channel stays as it is.`,
    );
  if (imports.find(({ kind }) => kind === 'products')?.state !== 'done')
    throw fail(
      'conflict',
      'The products of the shop are not imported yet: call it again once `imports` of the channel says that its products are done.',
    );
}
