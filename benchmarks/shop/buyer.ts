import { newId } from '@steward/kernel';

/** What is looked at of an answer. */
export interface Json {
  readonly id: string;
  readonly token: string;
  readonly status: string;
  readonly shippingOptions: readonly { readonly id: string }[];
  readonly order: { readonly id: string } | null;
}

/** So that nobody is refused for coming often. */
export const generous = {
  STOREFRONT_PER_IP_PER_MINUTE: '1000000000',
  STOREFRONT_PER_KEY_PER_MINUTE: '1000000000',
};

const address = { name: 'Ann', line1: 'Weg 1', city: 'Berlin', postcode: '10115', country: 'DE' };

/** Buys one of each variant from a cart, in eight requests. */
export interface Buyer {
  send(method: string, path: string, token?: string, body?: unknown): Promise<Json>;
  cart(): Promise<Json>;
  /** All steps but the last. */
  ready(): Promise<Json>;
  complete(ready: Json): Promise<Json>;
}

/** @param base of the storefront's routes */
export function buyerOf(base: string, key: string, variantIds: readonly string[]): Buyer {
  const lines = variantIds.map((variantId) => ({ variantId, quantity: 1 }));
  const send: Buyer['send'] = async (method, path, token = '', body) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        'x-service-sdk-key': key,
        ...(token === '' ? {} : { 'x-cart-token': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': newId() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Json;
  };
  const cart: Buyer['cart'] = async () => send('POST', '/carts', '', { currency: 'EUR' });
  return {
    send,
    cart,
    ready: async () => {
      const { id, token } = await cart();
      await send('POST', `/carts/${id}/lines`, token, { lines });
      const path = `/checkouts/${(await send('POST', '/checkouts', token, { cartId: id })).id}`;
      await send('PATCH', path, token, { email: `ann-${newId()}@example.com` });
      const { shippingOptions } = await send('PATCH', path, token, { shippingAddress: address });
      await send('PATCH', path, token, { shippingOptionId: shippingOptions[0]?.id });
      return { ...(await send('GET', path, token)), token };
    },
    complete: async ({ id, token }) =>
      send('POST', `/checkouts/${id}/complete`, token, { payment: { handler: 'manual', method: 'invoice' } }),
  };
}
