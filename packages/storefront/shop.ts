import type { StorefrontError } from './client/error.ts';
import type { Cart, Checkout, Product, ProductSummary, Variant } from './client/shop-types.ts';
import { StorefrontCartElement } from './shop/cart.ts';
import { StorefrontCheckoutElement } from './shop/checkout.ts';
import { StorefrontProductElement } from './shop/product.ts';
import { StorefrontProductsElement } from './shop/products.ts';

export { createShop, type CartInput, type Shop, type ShopOptions } from './client/shop.ts';
export type { Keeping } from './client/kept.ts';
export type {
  Cart,
  Checkout,
  CheckoutChange,
  Discount,
  Facet,
  FacetName,
  Line,
  LineInput,
  Message,
  Money,
  Page,
  PaymentAction,
  PaymentChoice,
  PaymentSecrets,
  PostalAddress,
  Price,
  Product,
  ProductImage,
  ProductPage,
  ProductQuery,
  ProductSummary,
  ShippingOption,
  Tax,
  Variant,
} from './client/shop-types.ts';
export { StorefrontError, type FieldError } from './client/error.ts';
export { shopOf } from './shop/shop-of.ts';
export { written as writtenMoney } from './shop/money.ts';
export { shopCatalogues, type ShopCatalogue } from './shop/words.ts';
export { StorefrontCartElement, StorefrontCheckoutElement, StorefrontProductElement, StorefrontProductsElement };

const registry = globalThis.customElements as CustomElementRegistry | undefined;
const define = (name: string, element: CustomElementConstructor): void => {
  // A page that loads the file twice, from two addresses, keeps the first; a server that renders has no registry.
  if (!registry?.get(name)) registry?.define(name, element);
};
define('storefront-products', StorefrontProductsElement);
define('storefront-product', StorefrontProductElement);
define('storefront-cart', StorefrontCartElement);
define('storefront-checkout', StorefrontCheckoutElement);

declare global {
  interface HTMLElementTagNameMap {
    'storefront-products': StorefrontProductsElement;
    'storefront-product': StorefrontProductElement;
    'storefront-cart': StorefrontCartElement;
    'storefront-checkout': StorefrontCheckoutElement;
  }
  interface GlobalEventHandlersEventMap {
    /** A product of the list was chosen; `preventDefault()` keeps the page from following its link. */
    'storefront-select': CustomEvent<{ readonly handle: string; readonly product: ProductSummary }>;
    'storefront-variant': CustomEvent<{ readonly product: Product; readonly variant: Variant | undefined }>;
    'storefront-added': CustomEvent<{ readonly cart: Cart; readonly variantId: string; readonly quantity: number }>;
    'storefront-cart': CustomEvent<Cart | undefined>;
    /** The buyer leaves the cart for the checkout; `preventDefault()` keeps the page from following its link. */
    'storefront-checkout': CustomEvent<Cart>;
    'storefront-checkout-change': CustomEvent<Checkout>;
    'storefront-ordered': CustomEvent<Checkout>;
    /** What an element shows is there. */
    'storefront-shown': CustomEvent<undefined>;
    'storefront-failed': CustomEvent<StorefrontError>;
  }
}
