/** An exact decimal amount with the digits of its currency: `{ amount: '19.99', currency: 'EUR' }`. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Of the next page; null or missing at the end. */
  readonly nextCursor?: string | null;
}

export interface ProductPage extends Page<ProductSummary> {
  /** Words of the query that no product has, and those that were looked for in their place. */
  readonly corrections: readonly { readonly word: string; readonly to: string }[];
  /** Where they were asked for. */
  readonly facets?: readonly Facet[];
}

/** What products are counted by: `price` needs `currency`; `option:Colour` is by the name of an option. */
export type FacetName = 'tag' | 'type' | 'vendor' | 'collection' | 'available' | 'price' | `option:${string}`;

export interface Facet {
  /** As it was asked for; before a colon, the member of the query that takes its values. */
  readonly name: FacetName;
  /** Of most products first, at most 50, with how many products the list would have if this alone were chosen of the facet. */
  readonly values: readonly {
    readonly value: string;
    readonly label: string;
    readonly count: number;
    readonly chosen: boolean;
  }[];
  /** Whether there are values beside these. */
  readonly more: boolean;
  /** false: only the first 2,000 products are counted. */
  readonly exact: boolean;
  /** Of `price`. */
  readonly range: { readonly currency: string; readonly lowest: string; readonly highest: string } | null;
}

export interface ProductImage {
  readonly id?: string;
  /** The largest size. With `?w=640`: the smallest that is at least so wide. */
  readonly url: string;
  readonly alt?: string | null;
  readonly width?: number | null;
  readonly height?: number | null;
  /** The variants that it shows; none: the product as such. */
  readonly variantIds?: readonly string[];
}

export interface ProductSummary {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly vendor: string | null;
  readonly type: string | null;
  readonly tags: readonly string[];
  /** Lowest and highest price for one, over the variants. */
  readonly priceRanges: readonly { readonly currency: string; readonly lowest: string; readonly highest: string }[];
  readonly image?: ProductImage | null;
  /** Whether a variant of it can be bought now. */
  readonly available: boolean;
}

export interface Price extends Money {
  readonly minQuantity: number;
  readonly compareAt?: string | null;
}

export interface Variant {
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly requiresShipping: boolean;
  readonly prices: readonly Price[];
  /** Whether one can be bought now. */
  readonly available: boolean;
}

export interface Product {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  /** Markdown, in which HTML is text. */
  readonly description: string | null;
  readonly vendor: string | null;
  readonly type: string | null;
  readonly tags: readonly string[];
  readonly options: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly variants: readonly Variant[];
  readonly media?: readonly ProductImage[];
}

type Several = string | readonly string[] | undefined;

/** All of it holds together; of several values of one member, any. */
export interface ProductQuery {
  readonly query?: string | undefined;
  readonly tag?: Several;
  readonly type?: Several;
  readonly vendor?: Several;
  readonly collection?: Several;
  /** `Colour:Red`. Of several options, one variant has them all. */
  readonly option?: Several;
  /** Amounts in `currency`, for one piece of a variant. */
  readonly priceFrom?: string | undefined;
  readonly priceTo?: string | undefined;
  readonly currency?: string | undefined;
  /** At most 10, for `ProductPage.facets`. */
  readonly facets?: FacetName | readonly FacetName[] | undefined;
  /** A page may have fewer than `limit`, or none, and a next one. */
  readonly available?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface LineInput {
  readonly variantId: string;
  readonly quantity: number;
}

export interface Line {
  readonly id: string;
  readonly productId: string;
  readonly variantId: string;
  readonly handle: string;
  readonly title: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly quantity: number;
  readonly unitPrice: Money;
  readonly compareAtPrice?: Money | null;
  readonly total: Money;
  readonly available: boolean;
  readonly image?: ProductImage | null;
}

export interface Message {
  /** Such as `price_changed`, `quantity_reduced`, `out_of_stock`, `payment_declined`. */
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly lineId?: string | null;
  readonly pointer?: string | null;
}

export interface Discount {
  readonly name: string;
  readonly code: string | null;
  readonly amount: Money;
}

export interface Cart {
  readonly id: string;
  readonly status: 'open' | 'converted' | 'cancelled' | 'expired';
  readonly currency: string;
  readonly locale: string | null;
  readonly lines: readonly Line[];
  readonly codes: readonly string[];
  readonly discounts: readonly Discount[];
  readonly itemCount: number;
  readonly subtotal: Money;
  readonly discount: Money;
  /** Null until an address is known. */
  readonly tax: Money | null;
  readonly total: Money;
  readonly pricesIncludeTax: boolean;
  readonly messages: readonly Message[];
  readonly checkoutId: string | null;
}

export interface PostalAddress {
  readonly name?: string | null;
  readonly company?: string | null;
  readonly line1: string;
  readonly line2?: string | null;
  readonly city: string;
  readonly region?: string | null;
  readonly postcode?: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly phone?: string | null;
}

export interface ShippingOption {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Before discounts. */
  readonly price: Money;
  /** After them. */
  readonly due: Money;
  readonly minDays: number | null;
  readonly maxDays: number | null;
  readonly locationId: string | null;
}

export interface Tax {
  readonly percentage: string | number | null;
  readonly treatment: string;
  readonly net: Money;
  readonly tax: Money;
}

export interface PaymentAction {
  readonly kind: string;
  readonly url?: string;
  /** Of the handler for tests: what may be confirmed. */
  readonly outcomes?: readonly string[];
  /** Of the handler for cards: the key that Stripe's own library is opened with. */
  readonly publishableKey?: string;
}

export interface PaymentSecrets {
  readonly clientSecret: string;
  readonly publishableKey?: string;
  /** Where the issuer of the card wants to see the buyer. */
  readonly redirectUrl?: string;
}

export interface Checkout {
  readonly id: string;
  /** Counts its changes, by whatever page. */
  readonly version: number;
  readonly status: 'open' | 'ready' | 'completing' | 'completed' | 'cancelled' | 'expired';
  readonly mode: 'live' | 'test';
  readonly currency: string;
  readonly locale: string | null;
  readonly lines: readonly Line[];
  readonly codes: readonly string[];
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
  readonly shippingAddress: PostalAddress | null;
  readonly billingAddress: PostalAddress | null;
  readonly vatNumber: string | null;
  readonly note: string | null;
  readonly marketingConsent: boolean;
  readonly shippingRequired: boolean;
  /** Where something can be shipped in this currency, ISO 3166; null: to every country. */
  readonly shippingCountries: readonly string[] | null;
  readonly shippingOptions: readonly ShippingOption[];
  readonly shippingOptionId: string | null;
  readonly discounts: readonly Discount[];
  readonly taxes: readonly Tax[];
  readonly pricesIncludeTax: boolean;
  readonly subtotal: Money;
  readonly discount: Money;
  readonly shipping: Money | null;
  readonly tax: Money | null;
  readonly total: Money;
  readonly paymentHandlers: readonly { readonly handler: string; readonly methods: readonly string[] }[];
  /** What is still wanted: `email`, `shipping_address`, `shipping_option`, … */
  readonly missing: readonly string[];
  readonly messages: readonly Message[];
  readonly payment: {
    readonly handler: string;
    readonly method: string;
    readonly status: string;
    readonly action?: PaymentAction | null;
    /** What the shop tells those who pay so, such as bank details. */
    readonly instructions?: string | null;
    /** The last day to pay, `YYYY-MM-DD`, after which an order that nobody paid is cancelled. */
    readonly payBy?: string | null;
  } | null;
  readonly order: {
    readonly id: string;
    readonly number: string;
    /** Opens the order: for `order.get`. */
    readonly token?: string;
    /** A page for people. */
    readonly statusUrl: string;
  } | null;
}

/** Null clears; what is left out stays. */
export interface CheckoutChange {
  readonly email?: string | null;
  readonly name?: string | null;
  readonly phone?: string | null;
  readonly shippingAddress?: PostalAddress | null;
  readonly billingAddress?: PostalAddress | null;
  readonly shippingOptionId?: string | null;
  readonly codes?: readonly string[];
  readonly vatNumber?: string | null;
  readonly note?: string | null;
  readonly marketingConsent?: boolean;
  readonly locale?: string | null;
  readonly lines?: readonly LineInput[];
}

export interface PaymentChoice {
  /** Null where the total is zero. */
  readonly payment: { readonly handler: string; readonly method: string } | null;
  /** The total that the buyer saw: another one is refused with `checkout_changed`, and nothing happens. */
  readonly total?: Money;
}
