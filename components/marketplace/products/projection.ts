import { NeverApplies, type Projection } from '@steward/callbacks';
import { sql } from '@steward/sql';
import { within } from '@steward/tools';
import { channel, selectChannels } from '../channels/channel.ts';
import { channelOf } from '../channels/of-delivery.ts';
import { serveChannels } from '../permissions.ts';
import type { ImportPorts } from '../ports.ts';
import { askShop, type ClientPorts } from '../shopify/client.ts';
import { readProduct, type ShopProduct } from '../shopify/product.ts';
import { importProduct } from './import.ts';

/** The product as the shop has it now; null: the shop has it no more. */
interface Fetched {
  readonly id: string;
  readonly product: ShopProduct | null;
}

/** A product was added, changed or deleted in the shop: it is read anew. One that the shop has no more is archived here. */
export const followProduct = (ports: ImportPorts & ClientPorts): Projection<Fetched | undefined> => ({
  fetch: async (context, { account, data }, signal) => {
    const id = String(data['id'] ?? '');
    if (!/^\d{1,25}$/.test(id)) throw new NeverApplies('The event names no product.');
    const [row] = await context
      .require(serveChannels)
      .read(selectChannels(`c.provider = 'shopify' and c.shop = $2`, context.tenant, account ?? ''));
    if (row === undefined) return undefined;
    const ask = await askShop(ports, context, channel.read(row).id, signal);
    return ask === undefined ? undefined : { id, product: (await readProduct(ask, id)) ?? null };
  },
  apply: async (tx, delivery, fetched) => {
    if (fetched === undefined) return [];
    const own = await channelOf(tx, delivery);
    if (own === undefined || own.status !== 'connected') return [];
    if (fetched.product !== null) {
      const { productId, outcome } = await importProduct(tx, ports, own, fetched.product);
      return outcome === 'same' ? [] : [{ kind: 'product', id: productId }];
    }
    const [known] = await tx.query<{ id: string }>(sql`
      select id from marketplace.link
      where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${own.id}::uuid and kind = 'product' and external_id = ${fetched.id}`);
    if (known === undefined) return [];
    await ports.products.update(within(tx.context, tx), { products: [{ productId: known.id, status: 'archived' }] });
    return [{ kind: 'product', id: known.id }];
  },
});
