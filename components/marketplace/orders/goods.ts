import type { TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import type { Channel } from '../channels/channel.ts';
import type { ImportPorts } from '../ports.ts';
import { importProduct } from '../products/import.ts';
import { type Linked, linkedVariants, linkVariants } from '../products/link.ts';
import type { ShopLine, ShopOrder } from '../shopify/order.ts';
import type { ShopProduct } from '../shopify/product.ts';
import { uuidOf } from '../uuid-of.ts';

/** What a line is known by that is of nothing in the shop's catalogue, or of nothing that it has any more. */
const nameOf = ({
  variantId,
  title,
  variant,
  sku,
}: Pick<ShopLine, 'variantId' | 'title' | 'variant' | 'sku'>): string =>
  variantId ?? `line:${uuidOf(title, variant ?? '', sku ?? '')}`;

/**
 * Which product and variant here each line is of, by the line's id. A product that is not known yet is imported first; what the shop has no product of
 * becomes an archived one, which nobody sells and of which nothing is counted.
 */
export async function goodsOf(
  tx: TenantTransaction,
  ports: Pick<ImportPorts, 'products'>,
  channel: Channel,
  order: Pick<ShopOrder, 'lines'>,
  products: readonly ShopProduct[],
): Promise<ReadonlyMap<string, Linked>> {
  for (const product of products) await importProduct(tx, ports, channel, product);
  const names = [...new Set(order.lines.map(nameOf))];
  const linked = new Map(await linkedVariants(tx, channel, names));
  for (const line of order.lines)
    if (!linked.has(nameOf(line))) linked.set(nameOf(line), await standIn(tx, ports, channel, line));
  return new Map(
    order.lines.flatMap((line) => {
      const found = linked.get(nameOf(line));
      return found === undefined ? [] : [[line.id, found] as const];
    }),
  );
}

async function standIn(
  tx: TenantTransaction,
  { products }: Pick<ImportPorts, 'products'>,
  channel: Channel,
  line: ShopLine,
): Promise<Linked> {
  const context = within(tx.context, tx);
  const title = [line.title, line.variant].filter((part) => part !== null).join(', ');
  const variant = { sku: line.sku, requiresShipping: line.requiresShipping };
  const made = await products.create(context, {
    products: [{ title: title.slice(0, 255), status: 'archived', variants: [variant] }],
  });
  const productId = made.products[0]?.id ?? '';
  const variantId = (await products.get(context, { productId })).variants[0]?.id ?? '';
  await linkVariants(tx, channel, productId, new Map([[nameOf(line), variantId]]));
  return { productId, variantId };
}

/** Products of an order that are not known here yet, by their ids in the shop. */
export function unknownProducts(
  order: Pick<ShopOrder, 'lines'>,
  known: ReadonlyMap<string, unknown>,
): readonly string[] {
  return [
    ...new Set(
      order.lines.flatMap(({ productId, variantId }) =>
        productId === null || variantId === null || known.has(variantId) ? [] : [productId],
      ),
    ),
  ];
}
