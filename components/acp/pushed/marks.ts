import type { BusEvent, Consumer } from '@steward/bus';
import { productsOfVariants } from '@steward/catalogue';
import { newId } from '@steward/kernel';
import { orderIn } from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import { variantsSharing, variantsTaking } from '@steward/stock';

/** After these, what a brand sells may be shown otherwise than before. What expires by itself, such as a price or a reservation, is found by comparing. */
const types = [
  'commerce.product.changed',
  'commerce.variants.removed',
  'commerce.products.published',
  'commerce.products.unpublished',
  'commerce.price_list.changed',
  'commerce.stock.changed',
  'commerce.order.placed',
  'commerce.order.edited',
];

/** Has feeds look again at what changed. A mark is set anew with each change, so that none is lost that comes while the one before is pushed. */
export const feedMarker = (gather: number, wake: () => void): Consumer => ({
  name: 'acp.feeds',
  types,
  onFailure: 'dead-letter',
  gathers: 100,
  handle: async (tx, event) => {
    const { tenant } = tx.context;
    const brandId = typeof event.data['brandId'] === 'string' ? event.data['brandId'] : null;
    const [active] = await tx.query(sql`
      select from acp.feed where tenant_id = ${tenant}::uuid and status = 'active' and (${brandId}::uuid is null or brand_id = ${brandId}::uuid) limit 1`);
    if (active === undefined) return;
    const whole = event.type === 'commerce.price_list.changed';
    const productIds = whole ? [] : await productsOf(tx, event);
    if (productIds.length === 0 && !whole) return;
    // Whoever pushes locks the work first as well. A platform that fails is left alone until its time.
    const feeds = await tx.query<{ feed_id: string }>(sql`
      update acp.feed_work w set walk_at = case when ${whole}::boolean then clock_timestamp() else w.walk_at end,
        due_at = case when w.failures > 0 then w.due_at
          else least(w.due_at, clock_timestamp() + make_interval(secs => ${gather}::double precision / 1000)) end
      from acp.feed f where f.tenant_id = ${tenant}::uuid and f.status = 'active' and (${brandId}::uuid is null or f.brand_id = ${brandId}::uuid)
        and w.tenant_id = f.tenant_id and w.feed_id = f.feed_id
      returning w.feed_id`);
    await tx.query(sql`
      insert into acp.feed_product (tenant_id, feed_id, product_id, mark)
      select ${tenant}::uuid, f, p, ${newId()}::uuid
      from unnest(${feeds.map(({ feed_id: id }) => id)}::uuid[]) f cross join unnest(${productIds}::uuid[]) p order by f, p
      on conflict (tenant_id, feed_id, product_id) do update set mark = excluded.mark`);
    tx.afterCommit(wake);
  },
});

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

async function productsOf(tx: TenantTransaction, { type, data }: BusEvent): Promise<readonly string[]> {
  switch (type) {
    case 'commerce.products.published':
    case 'commerce.products.unpublished':
      return strings(data['productIds']);
    case 'commerce.stock.changed':
      if (data['mode'] !== 'live') return [];
      return productsOfVariants(tx, await variantsTaking(tx, strings(data['itemIds'])));
    case 'commerce.order.placed':
    case 'commerce.order.edited': {
      if (data['mode'] !== 'live') return [];
      const order = await orderIn(tx, String(data['orderId']));
      const variantIds = order?.lines.map(({ variantId }) => variantId) ?? [];
      return productsOfVariants(tx, await variantsSharing(tx, variantIds));
    }
    default:
      return [String(data['productId'])];
  }
}
