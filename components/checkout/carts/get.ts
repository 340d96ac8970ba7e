import type { TenantContext } from '@steward/sql';
import { serveBuyers } from '../permissions.ts';
import { wantedOf } from '../pricing/line.ts';
import { price } from '../pricing/price.ts';
import { askingOf, type Cart, cartFrom, type Holding, selectCart, type Shop, showCart } from './cart.ts';

/** The cart at the prices of this moment. @throws Problem `not_found` (404) */
export async function getCart(context: TenantContext, shop: Shop, holding: Holding): Promise<Cart> {
  const scope = context.require(serveBuyers);
  const [row] = await scope.read(selectCart(context.tenant, holding.id, false));
  const kept = cartFrom(row, shop, holding);
  return showCart(kept, await price(context.tenant, scope.readAll, askingOf(kept, shop, kept.lines.map(wantedOf))));
}
