import { NeverApplies, type Projection } from '@steward/callbacks';
import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import { channel, selectChannels } from '../channels/channel.ts';
import { channelOf } from '../channels/of-delivery.ts';
import { markListings } from '../listings/mark.ts';
import { serveChannels } from '../permissions.ts';
import type { ImportPorts } from '../ports.ts';
import { askShop, type ClientPorts } from '../shopify/client.ts';
import { readProduct, type ShopProduct } from '../shopify/product.ts';
import { importProduct } from './import.ts';

/** The product as the shop has it now; null: the shop has it no more. `described`: it was not asked, as the product is described here. */
interface Fetched {
  readonly id: string;
  readonly product: ShopProduct | null | 'described';
}

export interface FollowPorts extends ImportPorts, ClientPorts {
  /** Something is to be done for a channel. */
  readonly wake: () => void;
}

/**
 * A product was added, changed or deleted in the shop: it is read anew. One that the shop has no more is archived here. Where products are described
 * here, one that is known is only compared: what we told the shop ourselves comes back so, too, and changes nothing.
 */
export const followProduct = (ports: FollowPorts): Projection<Fetched | undefined> => ({
  fetch: async (context, { account, data }, signal) => {
    const id = String(data['id'] ?? '');
    if (!/^\d{1,25}$/.test(id)) throw new NeverApplies('The event names no product.');
    const { read } = context.require(serveChannels);
    const [row] = await read(selectChannels(`c.provider = 'shopify' and c.shop = $2`, context.tenant, account ?? ''));
    if (row === undefined) return undefined;
    const own = channel.read(row);
    if (own.products === 'here' && (await knownProduct({ context, query: read }, own.id, id)) !== undefined)
      return { id, product: 'described' };
    const ask = await askShop(ports, context, own.id, signal);
    return ask === undefined ? undefined : { id, product: (await readProduct(ask, id)) ?? null };
  },
  apply: async (tx, delivery, fetched) => {
    if (fetched === undefined) return [];
    const own = await channelOf(tx, delivery);
    if (own === undefined || own.status !== 'connected') return [];
    const { id, product } = fetched;
    if (own.products === 'here') tx.afterCommit(ports.wake);
    if (product !== null && product !== 'described') {
      const { productId, outcome } = await importProduct(tx, ports, own, product);
      return outcome === 'same' ? [] : [{ kind: 'product', id: productId }];
    }
    const known = await knownProduct(tx, own.id, id);
    if (known === undefined) return [];
    if (product === 'described' || own.products === 'here') {
      await markListings(tx, [own.id], [known]);
      return [];
    }
    await ports.products.update(within(tx.context, tx), { products: [{ productId: known, status: 'archived' }] });
    return [{ kind: 'product', id: known }];
  },
});

/** What a product of a shop is here. */
async function knownProduct(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  channelId: string,
  externalId: string,
): Promise<string | undefined> {
  const [known] = await tx.query<{ id: string }>(sql`
    select id from marketplace.link
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and kind = 'product' and external_id = ${externalId}`);
  return known?.id;
}
