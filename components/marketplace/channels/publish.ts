import { asItWas, operation } from '@steward/access';
import { fail, type FieldError } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { markListings, noteListings } from '../listings/mark.ts';
import { operates } from '../operations.ts';
import type { ChannelPorts } from '../ports.ts';
import { byChannel, type Channel, channel, holdChannel, requireConnected } from './channel.ts';

const spec = {
  ...operates,
  input: z.strictObject({
    ...byChannel,
    productIds: z.array(z.uuid()).min(1).max(100).meta({ description: 'From service_list_products, up to 100.' }),
  }),
  answer: channel.answer,
  errors: { not_found: 'channelId', conflict: 'channelId' },
} as const;

/**
 * Has the shop of a channel offer products of this side: those that it does not have are made there.
 * @throws Problem `not_found` (404), `invalid_request` (400) with a pointer to each product that is not there, `conflict` (409)
 */
export const publishToChannel = operation(
  { ...spec, name: 'service_publish_to_channel' },
  async (scope, { channelId, productIds }, { productsIn, wake }: ChannelPorts): Promise<Channel> =>
    scope.write(async (tx) => {
      const held = await holdDescribing(tx, channelId);
      const known = await productsIn(tx, productIds);
      requireAll(productIds, known, 'There is no such product in this tenant: list the products for their ids.');
      const fresh = await noteListings(tx, channelId, new Map(productIds.map((id) => [id.toLowerCase(), null])));
      // What the shop has lost is made there once more.
      const again = await tx.query<{ product_id: string }>(sql`
        update marketplace.listing set offered = true, said = null, had = null, detail = null, attention = null,
          external_id = case when attention = 'gone' then null else external_id end
        where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and product_id = any (${productIds}::uuid[])
          and (not offered or attention = 'gone')
        returning product_id`);
      const moved = [...fresh, ...again.map(({ product_id: id }) => id)].toSorted();
      if (moved.length === 0) return asItWas(held);
      await markListings(tx, [channelId], moved);
      tx.record(event('commerce.channel.products_published', { channel_id: channelId, product_ids: moved }));
      tx.afterCommit(wake);
      return holdChannel(tx, channelId);
    }),
);

/**
 * Has the shop of a channel offer products no longer: they are drafts there, and never deleted.
 * @throws Problem `not_found` (404), `invalid_request` (400) with a pointer to each product that the channel does not have, `conflict` (409)
 */
export const unpublishFromChannel = operation(
  { ...spec, name: 'service_unpublish_from_channel' },
  async (scope, { channelId, productIds }, { wake }: ChannelPorts): Promise<Channel> =>
    scope.write(async (tx) => {
      const held = await holdDescribing(tx, channelId);
      const rows = await tx.query<{ product_id: string; offered: boolean }>(sql`
        select product_id, offered from marketplace.listing
        where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and product_id = any (${productIds}::uuid[])`);
      requireAll(productIds, new Set(rows.map(({ product_id: id }) => id)), 'The channel does not have this product.');
      const moved = rows.flatMap(({ product_id: id, offered }) => (offered ? [id] : [])).toSorted();
      if (moved.length === 0) return asItWas(held);
      await tx.query(sql`
        update marketplace.listing set offered = false
        where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and product_id = any (${moved}::uuid[])`);
      await markListings(tx, [channelId], moved);
      tx.record(event('commerce.channel.products_unpublished', { channel_id: channelId, product_ids: moved }));
      tx.afterCommit(wake);
      return holdChannel(tx, channelId);
    }),
);

/** @throws Problem `not_found` (404), `conflict` (409) */
async function holdDescribing(tx: TenantTransaction, channelId: string): Promise<Channel> {
  const held = await holdChannel(tx, channelId);
  requireConnected(held);
  if (held.products === 'shop')
    throw fail(
      'conflict',
      'The shop describes its products: have them described here first, by service_set_channel_products.',
    );
  return held;
}

/** @throws Problem `invalid_request` (400) with pointers */
function requireAll(ids: readonly string[], known: ReadonlySet<string>, detail: string): void {
  const errors = ids.flatMap((id, index): FieldError[] =>
    known.has(id.toLowerCase()) ? [] : [{ pointer: `/productIds/${index}`, code: 'unknown_product', detail }],
  );
  if (errors.length > 0) throw fail('invalid_request', detail, { errors });
}
