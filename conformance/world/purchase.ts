import assert from 'node:assert/strict';
import { newId } from '@steward/kernel';
import type { Json, World } from './world.ts';

/** A tool of a pillar by its owner's agent; answers its data. */
type Act = (pillar: string, tool: string, args: unknown) => Promise<Json>;

export interface Purchase {
  readonly orderId: string;
  readonly lineId: string;
  readonly checkoutId: string;
  readonly token: string;
  /** The page of the order for its buyer. */
  readonly page: string;
}

/** Something is sold to Germany, without tax, for what the books count in; a buyer says who they are, and buys two of it from a cart by invoice. */
export async function purchase(
  world: World,
  act: Act,
  { key, brandId, currency }: { readonly key: string; readonly brandId: string; readonly currency: string },
  said: Readonly<Record<string, unknown>>,
): Promise<Purchase> {
  const { shipping_zone } = await act('commerce/selling', 'service_create_shipping_zone', {
    name: 'Germany',
    places: [{ country: 'DE' }],
  });
  const { shipping_option } = await act('commerce/selling', 'service_create_shipping_option', {
    shipping_zone_id: shipping_zone?.['id'],
    name: 'Parcel',
    kind: 'flat',
    currency,
    amount: '4.90',
  });
  const { products } = await act('commerce', 'service_create_products', {
    products: [
      { title: 'Mug', status: 'active', brand_ids: [brandId], variants: [{ prices: [{ amount: '18.00', currency }] }] },
    ],
  });
  const [made] = products as unknown as Json[];
  const { product } = await act('commerce', 'service_get_product', { product_id: made?.['id'] });
  const [variant] = (product?.['variants'] ?? []) as unknown as Json[];
  const send = async (method: string, path: string, body: unknown, token?: string): Promise<Json> => {
    const answer = await world.call(`${world.server.addresses.storefront}${path}`, {
      method,
      body,
      headers: {
        'x-service-sdk-key': key,
        'idempotency-key': newId(),
        ...(token === undefined ? {} : { 'x-cart-token': token }),
      },
    });
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const lines = [{ variantId: variant?.['id'], quantity: 2 }];
  const cart = await send('POST', '/carts', { currency, lines });
  const token = String(cart['token']);
  const checkoutId = String((await send('POST', '/checkouts', { cartId: cart['id'] }, token))['id']);
  const at = `/checkouts/${checkoutId}`;
  await send('PATCH', at, { ...said, shippingOptionId: shipping_option?.['id'] }, token);
  // The same cart once more, whose answer says all of it.
  await send('POST', '/checkouts', { cartId: cart['id'], locale: 'de' }, token);
  const { order } = await send('POST', `${at}/complete`, { payment: { handler: 'manual', method: 'invoice' } }, token);
  const orderId = String(order?.['id']);
  const { order: whole } = await act('commerce/fulfilment', 'service_get_order', { order_id: orderId });
  const [line] = (whole?.['lines'] ?? []) as unknown as Json[];
  return { orderId, lineId: String(line?.['id']), checkoutId, token, page: String(order?.['statusUrl']) };
}
