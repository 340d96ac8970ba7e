import { count, field, flag, id, moment, type Of, nullable, oneOf, shape, text } from '@steward/contract';
import { madeBy } from '@steward/identity';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { describing, sides } from '../words.ts';

export const statuses = ['connected', 'disconnected'] as const;

const shopLocation = z.object({ id: z.string(), name: z.string() });

const stockState = z.object({
  /** Variants that are to be compared with the shop; 1,000: as many or more. */
  waiting: z.int(),
  lastError: z.string().nullable(),
});

const unlike = z.object({
  variantId: z.uuid(),
  /** `not_stocked`: the shop does not count it, or not at its location while there is none; `several_items`: it is not counted by itself here; `refused` by the shop. */
  because: z.string(),
});

const productState = z.object({
  /** Products that are to be compared with the shop; 1,000: as many or more. */
  waiting: z.int(),
  lastError: z.string().nullable(),
});

const apart = z.object({
  productId: z.uuid(),
  /**
   * `gone`: the shop has it no more; `no_price`: a variant has none in the shop’s currency; `refused` by the shop; `kept_otherwise`: the shop made
   * something else of what it was told.
   */
  because: z.string(),
  /** In the words of the shop, where it gave any. */
  detail: z.string().nullable(),
});

const task = z.object({
  kind: z.enum(['webhooks', 'products', 'orders']),
  state: z.enum(['due', 'done', 'failed']),
  done: z.int(),
  /** Which could not be imported. */
  failed: z.int(),
  /** As the shop counted them when it began; null: not yet. */
  total: z.int().nullable(),
  lastError: z.string().nullable(),
});

const differing = z.object({
  orderId: z.uuid(),
  /** As people in the shop read it. */
  externalName: z.string(),
  /** In what it differs: `total_differs`, `lines_differ`, `oversold`, `not_sent`, `not_cancelled`, `not_refunded`, `not_received`, `cancelled_here`. */
  attention: z.array(z.string()),
});

const dataRequest = z.object({
  id: z.uuid(),
  /** Whom it is about; null: nobody is known. */
  contactId: z.uuid().nullable(),
  orderIds: z.array(z.uuid()),
  requestedAt: z.string(),
});

/** A shop at a marketplace, of `marketplace.channel` named `c`; without its token. */
export const channel = shape('c', {
  id: id('c.channel_id'),
  provider: text(),
  /** As the provider names it. */
  shop: text(),
  name: text(),
  /** Of its orders and products. */
  brandId: id(),
  /** Where its stock is. */
  locationId: id(),
  /** Which side says how much there is, and the other follows; none: the two are counted apart. */
  stock: oneOf(sides),
  /** The shop’s location whose stock is that of `locationId`. */
  shopLocationId: nullable(text('c.shop_location')),
  /** Those in use, as the shop named them last. */
  shopLocations: field(z.array(shopLocation), 'c.shop_locations'),
  /** Which side describes the products, and the other follows. */
  products: oneOf(describing),
  /** What the shop granted, as it said. */
  scopes: field(z.array(z.string()), 'c.scopes'),
  status: oneOf(statuses),
  /** Whether the provider tells what happens there. */
  listening: flag('c.webhooks_at is not null'),
  /** How far its first import is. */
  imports: field(
    z.array(task),
    `(select coalesce(json_agg(json_build_object('kind', t.kind, 'state', t.state, 'done', t.done, 'failed', t.failed, 'total', t.total,
      'lastError', t.last_error) order by array_position(array['webhooks', 'products', 'orders'], t.kind)), '[]')
      from marketplace.task t where t.tenant_id = c.tenant_id and t.channel_id = c.channel_id and t.kind not in ('stock', 'listings'))`,
  ),
  /** How far stock is in step; null: it is not kept so. */
  stockState: nullable(
    field(
      stockState,
      `(select json_build_object('lastError', t.last_error, 'waiting', (select count(*)::int from (
          select from marketplace.inventory v where v.tenant_id = c.tenant_id and v.channel_id = c.channel_id and v.due_at <= statement_timestamp()
          limit 1000) w))
        from marketplace.task t where t.tenant_id = c.tenant_id and t.channel_id = c.channel_id and t.kind = 'stock' and c.stock <> 'none')`,
    ),
  ),
  /** Variants whose stock is not kept in step, 100 at most. */
  stockToLookAt: field(
    z.array(unlike),
    `(select coalesce(json_agg(json_build_object('variantId', v.variant_id, 'because', v.attention)), '[]')
      from (select * from marketplace.inventory i where i.tenant_id = c.tenant_id and i.channel_id = c.channel_id and i.attention is not null
        and c.stock <> 'none' order by i.external_id limit 100) v)`,
  ),
  /** How far products are as they are described here; null: the shop describes them. */
  productState: nullable(
    field(
      productState,
      `(select json_build_object('lastError', t.last_error, 'waiting', (select count(*)::int from (
          select from marketplace.listing v where v.tenant_id = c.tenant_id and v.channel_id = c.channel_id and v.due_at <= statement_timestamp()
          limit 1000) w))
        from marketplace.task t where t.tenant_id = c.tenant_id and t.channel_id = c.channel_id and t.kind = 'listings' and c.products = 'here')`,
    ),
  ),
  /** Products that the shop does not have as they are described here, 100 at most. */
  productsToLookAt: field(
    z.array(apart),
    `(select coalesce(json_agg(json_build_object('productId', v.product_id, 'because', v.attention, 'detail', v.detail)), '[]')
      from (select * from marketplace.listing i where i.tenant_id = c.tenant_id and i.channel_id = c.channel_id and i.attention is not null
        and c.products = 'here' order by i.product_id limit 100) v)`,
  ),
  /** Orders that differ from the shop’s, the newest first, 100 at most: a person should look at them. */
  ordersToLookAt: field(
    z.array(differing),
    `(select coalesce(json_agg(json_build_object('orderId', i.order_id, 'externalName', i.external_name, 'attention', i.attention)), '[]')
      from (select * from marketplace.imported_order o where o.tenant_id = c.tenant_id and o.channel_id = c.channel_id and o.attention <> '{}'
        order by o.order_id desc limit 100) i)`,
  ),
  /** Of buyers who ask what is known of them and were not answered yet: within thirty days. */
  dataRequests: field(
    z.array(dataRequest),
    `(select coalesce(json_agg(json_build_object('id', q.request_id, 'contactId', q.contact_id, 'orderIds', q.order_ids,
      'requestedAt', to_char(q.requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by q.requested_at), '[]')
      from (select * from marketplace.data_request d where d.tenant_id = c.tenant_id and d.channel_id = c.channel_id and d.answered_at is null
        order by d.requested_at limit 100) q)`,
  ),
  ...madeBy('c'),
  version: count(),
  /** The last time. */
  connectedAt: moment(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type Channel = Of<typeof channel>;

export const byChannel = { channelId: z.uuid().meta({ description: 'From service_list_channels.' }) };

export const noChannel = (): Error =>
  fail('not_found', 'There is no such channel in this tenant: list the channels for their ids.');

/** Channels of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectChannels = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${channel.columns} from marketplace.channel c where c.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** @throws Problem `not_found` (404) */
export async function readChannel(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  channelId: string,
): Promise<Channel> {
  const [row] = await read(selectChannels('c.channel_id = $2::uuid', context.tenant, channelId));
  if (row === undefined) throw noChannel();
  return channel.read(row);
}

/** @throws Problem `conflict` (409) */
export function requireConnected({ status }: Channel): void {
  if (status !== 'connected')
    throw fail('conflict', 'The channel is disconnected: install the app in the shop again, and connect it.');
}

/** Held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdChannel(tx: TenantTransaction, channelId: string): Promise<Channel> {
  const [row] = await tx.query(selectChannels('c.channel_id = $2::uuid for update', tx.context.tenant, channelId));
  if (row === undefined) throw noChannel();
  return channel.read(row);
}
