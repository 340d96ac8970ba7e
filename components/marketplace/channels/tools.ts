import { type Tool, toolOf, under } from '@steward/tools';
import type { ChannelPorts } from '../ports.ts';
import { type Channel, channel } from './channel.ts';
import { connectChannel } from './connect.ts';
import { disconnectChannel } from './disconnect.ts';
import { importChannel } from '../imports/begin.ts';
import { listChannels } from './list.ts';
import { publishToChannel, unpublishFromChannel } from './publish.ts';
import { setChannelProducts } from './set-products.ts';
import { setChannelStock } from './set-stock.ts';

const called = ({ name, shop }: Channel): string => (name === shop ? shop : `${name} (${shop})`);

const saidOf = {
  here: 'the shop may sell what is available here',
  shop: 'what the shop has is on hand here',
  none: 'each side counts for itself',
} as const;

export const channelTools: readonly Tool<ChannelPorts>[] = [
  toolOf(listChannels, {
    core: false,
    title: 'List channels',
    description:
      'Lists the shops at marketplaces (Shopify) that the organization sells in. Their orders and products are kept in step with those here; `imports` says how far a first import is.',
    say: ({ items, nextCursor }) => `${items.length} channels${nextCursor === null ? '' : ', and more'}.`,
  }),
  toolOf(connectChannel, {
    core: false,
    approval: { moneyOut: false },
    annotations: { destructiveHint: false, idempotentHint: false },
    title: 'Connect a shop',
    description:
      'Connects a Shopify shop to the organization. Somebody who manages the shop first opens the address /marketplace/install?shop=<name>.myshopify.com of commerce in a browser and consents; the page on which that ends shows the code for this call.',
    shows: under('channel', channel.answer),
    say: (one, preview) => `${preview ? 'Would connect' : 'Connected'} ${called(one)}.`,
    preview: ({ provider, shop, name, brandId, locationId }) => ({ provider, shop, name, brandId, locationId }),
  }),
  toolOf(importChannel, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Import a shop once more',
    description:
      'Imports the products and open orders of a connected shop again, and registers its webhooks where they are missing. `imports` of service_list_channels says how far it is. A shop is imported by itself once it is connected.',
    shows: under('channel', channel.answer),
    say: (one, preview) => `${preview ? 'Would import' : 'Imports'} ${called(one)} from the first page.`,
  }),
  toolOf(setChannelStock, {
    core: false,
    rare: true,
    approval: { moneyOut: false },
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Keep stock in step with a shop',
    description:
      'Says which side counts the stock of a channel; the other follows, first with what it has now. `here`: what is available at the location of the channel is what the shop may sell, and what somebody changes in the shop is set back. `shop`: what the shop has is what is on hand here, and what is sold here is not told to the shop. `none`: each counts for itself. `stock_state` and `stock_to_look_at` of service_list_channels say how far it is.',
    shows: under('channel', channel.answer),
    say: (one, preview) => `${preview ? 'Would keep' : 'Keeps'} stock of ${called(one)}: ${saidOf[one.stock]}.`,
    preview: ({ provider, shop, name, locationId, stock, shopLocationId, shopLocations }) => ({
      provider,
      shop,
      name,
      locationId,
      stock,
      shopLocation: shopLocations.find(({ id }) => id === shopLocationId) ?? null,
    }),
  }),
  toolOf(setChannelProducts, {
    core: false,
    rare: true,
    approval: { moneyOut: false },
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Say which side describes products of a shop',
    description:
      'Says which side describes the products of a channel; the other follows, first with what it has now. `here`: title, text, prices, options and variants of its products are in the shop as they are here, and what somebody changes in the shop is set back; service_publish_to_channel adds products. `shop`: they are here as the shop has them. `product_state` and `products_to_look_at` of service_list_channels say how far it is.',
    shows: under('channel', channel.answer),
    say: (one, preview) =>
      `${preview ? 'Would have' : 'Has'} products of ${called(one)} described ${one.products === 'here' ? 'here' : 'by the shop'}.`,
    preview: ({ provider, shop, name, products }) => ({ provider, shop, name, products }),
  }),
  toolOf(publishToChannel, {
    core: false,
    rare: true,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Offer products in a shop',
    description:
      'Has the shop of a channel offer products: those that it does not have are made there, in the currency of the shop. Needs a channel whose products are described here (service_set_channel_products).',
    shows: under('channel', channel.answer),
    say: (one, preview) => `${preview ? 'Would offer' : 'Offers'} them in ${called(one)}.`,
  }),
  toolOf(unpublishFromChannel, {
    core: false,
    rare: true,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Take products off a shop',
    description: 'Has the shop of a channel offer products no longer: they become drafts there, and are never deleted.',
    shows: under('channel', channel.answer),
    say: (one, preview) => `${preview ? 'Would take' : 'Takes'} them off ${called(one)}.`,
  }),
  toolOf(disconnectChannel, {
    core: false,
    approval: { moneyOut: false },
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Disconnect a shop',
    description:
      'Ends the connection with a shop: its token is erased and what it reports is not taken any more. Orders and products that were imported stay.',
    shows: under('channel', channel.answer),
    say: (one, preview) => `${preview ? 'Would disconnect' : 'Disconnected'} ${called(one)}.`,
    preview: ({ provider, shop, name }) => ({ provider, shop, name }),
  }),
];
