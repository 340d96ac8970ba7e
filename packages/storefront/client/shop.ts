import { createCall, type Asking } from './call.ts';
import type { CallOptions, StorefrontOptions } from './client.ts';
import { StorefrontError } from './error.ts';
import { keptBy, type Kept, type Keeping, type Proof } from './kept.ts';
import type {
  Cart,
  Checkout,
  CheckoutChange,
  LineInput,
  PaymentChoice,
  PaymentSecrets,
  Product,
  ProductPage,
  ProductQuery,
} from './shop-types.ts';

export interface ShopOptions extends StorefrontOptions {
  /** Where cart and checkout are remembered; without it `localStorage`, on a server the memory of this shop alone. */
  readonly storage?: Keeping;
}

export interface CartInput {
  readonly currency?: string | undefined;
  readonly lines?: readonly LineInput[] | undefined;
  readonly codes?: readonly string[] | undefined;
  readonly locale?: string | undefined;
}

/**
 * Products, the visitor's cart, and its checkout. Calls reject with a `StorefrontError`, or with the reason of the signal that ended them.
 * Each write has an idempotency key, so that what did not arrive is sent again, and happens once.
 */
export interface Shop {
  readonly products: {
    list(query?: ProductQuery, options?: CallOptions): Promise<ProductPage>;
    get(handle: string, options?: CallOptions): Promise<Product>;
  };
  /** The cart that is remembered. */
  readonly cart: {
    create(input?: CartInput, options?: CallOptions): Promise<Cart>;
    /** Undefined where there is none, or where it was bought, cancelled, or has expired. */
    get(options?: CallOptions): Promise<Cart | undefined>;
    /** Begins a cart where there is none. The line of the same variant grows. */
    add(lines: readonly LineInput[], more?: Omit<CartInput, 'lines'>, options?: CallOptions): Promise<Cart>;
    /** Quantities by line; 0 removes it. */
    change(lines: readonly { readonly id: string; readonly quantity: number }[], options?: CallOptions): Promise<Cart>;
    /** All codes, in place of those that the cart has. */
    codes(codes: readonly string[], options?: CallOptions): Promise<Cart>;
    cancel(options?: CallOptions): Promise<void>;
    /** Calls `listener` with the cart as often as it changes, in other windows too. @returns what ends this */
    watch(listener: (cart: Cart | undefined) => void): () => void;
  };
  /** The checkout that is remembered. */
  readonly checkout: {
    /** Of the remembered cart, or of lines. The same cart again answers the same checkout, as things stand now. */
    create(input?: CartInput, options?: CallOptions): Promise<Checkout>;
    get(options?: CallOptions): Promise<Checkout | undefined>;
    update(change: CheckoutChange, options?: CallOptions): Promise<Checkout>;
    /** @param options `version`: that the page shows; else what another page of the buyer put into it meanwhile is bought where it costs the same */
    complete(choice: PaymentChoice, options?: CallOptions & { readonly version?: number }): Promise<Checkout>;
    /** The buyer's further step, where `payment.action` asks for one. */
    confirm(given?: object, options?: CallOptions): Promise<Checkout>;
    /** What the provider's own library wants for `payment.action` of kind `stripe`. Keep it nowhere. */
    paymentSecrets(options?: CallOptions): Promise<PaymentSecrets>;
    cancel(options?: CallOptions): Promise<Checkout>;
  };
  readonly order: {
    /** What its buyer may see. @param token `order.token` of its checkout */
    get(id: string, token: string, options?: CallOptions): Promise<Record<string, unknown>>;
  };
}

type Tokened<T> = T & { readonly token?: string };

export function createShop({ storage, ...options }: ShopOptions): Shop {
  const name = `storefront:${options.sdkKey}`;
  const call = createCall(options);
  const kept = keptBy(name, storage);
  const listeners = new Set<(cart: Cart | undefined) => void>();
  let last: Promise<unknown> = Promise.resolve();

  /** One write after the other: two at once would begin two carts, and answer totals in any order. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  const keep = (next: Kept): void => kept.write({ ...kept.read(), ...next });
  const tell = <C extends Cart | undefined>(cart: C): C => {
    for (const listener of listeners) listener(cart);
    return cart;
  };
  const proven = (proof: Proof | undefined, more?: Asking): Asking => ({
    ...more,
    headers: proof ? { 'x-cart-token': proof.token } : {},
  });
  const missing = (what: string): StorefrontError =>
    new StorefrontError(`There is no ${what}.`, { status: 404, code: `${what}_not_found` });

  const create = async (input: CartInput, more: CallOptions | undefined): Promise<Cart> => {
    const { token = '', ...cart } = await call<Tokened<Cart>>('POST', '/carts', { body: input, ...more });
    keep({ cart: { id: cart.id, token }, checkout: undefined });
    return tell(cart);
  };
  /** Forgets the cart where it can be changed no more. */
  const open = (cart: Cart | undefined): Cart | undefined => {
    if (cart?.status === 'open') return cart;
    keep({ cart: undefined });
    return undefined;
  };
  const onCart = async (
    method: 'POST' | 'PATCH' | 'PUT',
    path: string,
    body: object,
    more: CallOptions | undefined,
  ) => {
    const { cart } = kept.read();
    if (!cart) throw missing('cart');
    return tell(await call<Cart>(method, `/carts/${cart.id}${path}`, proven(cart, { body, ...more })));
  };
  const onCheckout = async (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body: object | undefined,
    more?: CallOptions,
  ) => {
    const { checkout } = kept.read();
    if (!checkout) throw missing('checkout');
    return settled(
      await call<Checkout>(method, `/checkouts/${checkout.id}${path}`, proven(checkout, { body, ...more })),
    );
  };
  /** What was ordered is in no cart. */
  const settled = (checkout: Checkout): Checkout => {
    if (checkout.status === 'completed' && kept.read().cart) {
      keep({ cart: undefined });
      tell(undefined);
    }
    return checkout;
  };
  const read = async (more?: CallOptions): Promise<Cart | undefined> => {
    const { cart } = kept.read();
    if (!cart) return undefined;
    return open(await orNone(call<Cart>('GET', `/carts/${cart.id}`, proven(cart, more))));
  };

  const elsewhere = ({ key }: StorageEvent): void => {
    if (key === name) void read().then(tell, () => undefined);
  };

  return {
    products: {
      list: async (query = {}, more) => call('GET', `/products${search(query)}`, more),
      get: async (handle, more) => call('GET', `/products/${encodeURIComponent(handle)}`, more),
    },
    cart: {
      create: async (input = {}, more) => inTurn(async () => create(input, more)),
      get: async (more) => inTurn(async () => read(more)),
      add: async (lines, input = {}, more) =>
        inTurn(async () => {
          if (kept.read().cart)
            try {
              return await onCart('POST', '/lines', { lines }, more);
            } catch (error) {
              // A cart that is over cannot be added to; one that is open refused the lines themselves.
              if (await read(more)) throw error;
            }
          return create({ ...input, lines }, more);
        }),
      change: async (lines, more) => inTurn(async () => onCart('PATCH', '/lines', { lines }, more)),
      codes: async (codes, more) => inTurn(async () => onCart('PUT', '/codes', { codes }, more)),
      cancel: async (more) =>
        inTurn(async () => {
          const { cart } = kept.read();
          if (cart) await orNone(call('DELETE', `/carts/${cart.id}`, proven(cart, more)));
          keep({ cart: undefined });
          tell(undefined);
        }),
      watch: (listener) => {
        listeners.add(listener);
        if (listeners.size === 1) globalThis.addEventListener?.('storage', elsewhere);
        return () => {
          listeners.delete(listener);
          if (listeners.size === 0) globalThis.removeEventListener?.('storage', elsewhere);
        };
      },
    },
    checkout: {
      create: async (input, more) =>
        inTurn(async () => {
          const { cart } = kept.read();
          if (!input && !cart) throw missing('cart');
          const asking = input ? { body: input, ...more } : proven(cart, { body: { cartId: cart?.id }, ...more });
          const { token = cart?.token ?? '', ...checkout } = await call<Tokened<Checkout>>(
            'POST',
            '/checkouts',
            asking,
          );
          keep({ checkout: { id: checkout.id, token } });
          return settled(checkout);
        }),
      get: async (more) =>
        inTurn(async () => {
          const { checkout } = kept.read();
          const found =
            checkout && (await orNone(call<Checkout>('GET', `/checkouts/${checkout.id}`, proven(checkout, more))));
          return found && settled(found);
        }),
      update: async (change, more) => inTurn(async () => onCheckout('PATCH', '', change, more)),
      complete: async (choice, more) => inTurn(async () => onCheckout('POST', '/complete', choice, more)),
      confirm: async (given = {}, more) => inTurn(async () => onCheckout('POST', '/confirm', given, more)),
      paymentSecrets: async (more) =>
        onCheckout('GET', '/payment-secrets', undefined, more) as Promise<unknown> as Promise<PaymentSecrets>,
      cancel: async (more) => inTurn(async () => onCheckout('POST', '/cancel', undefined, more)),
    },
    order: {
      get: async (id, token, more) =>
        call('GET', `/orders/${encodeURIComponent(id)}`, { ...more, headers: { 'x-order-token': token } }),
    },
  };
}

/** Undefined where what is asked for is not there, or not this visitor's. */
async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StorefrontError && (error.status === 404 || error.status === 410)) return undefined;
    throw error;
  }
}

function search(query: ProductQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined || one === '' ? [] : [[name, String(one)]])),
  );
  return given.length ? `?${new URLSearchParams(given)}` : '';
}
