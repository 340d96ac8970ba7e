/** Releases of the protocol that are served, newest first. */
export const versions = ['2026-08-25', '2026-04-08'] as const;
export type Version = (typeof versions)[number];

export const isVersion = (text: unknown): text is Version => (versions as readonly unknown[]).includes(text);

export const names = {
  checkout: 'dev.ucp.shopping.checkout',
  cart: 'dev.ucp.shopping.cart',
  order: 'dev.ucp.shopping.order',
  search: 'dev.ucp.shopping.catalog.search',
  lookup: 'dev.ucp.shopping.catalog.lookup',
  discount: 'dev.ucp.shopping.discount',
  fulfillment: 'dev.ucp.shopping.fulfillment',
  consent: 'dev.ucp.shopping.buyer_consent',
} as const;
export type CapabilityName = (typeof names)[keyof typeof names];

/** What the shop can do in one release of the protocol. */
export interface Capability {
  readonly name: CapabilityName;
  readonly extends: readonly CapabilityName[];
  /** Under `https://ucp.dev/{version}/specification/`. */
  readonly spec: string;
  /** Under `https://ucp.dev/{version}/schemas/shopping/`. */
  readonly schema: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

const root = (name: CapabilityName, spec: string, schema: string): Capability => ({ name, extends: [], spec, schema });

/** All goods of an order go one way, to one place. */
const oneDestination: Readonly<Record<Version, Readonly<Record<string, unknown>>>> = {
  '2026-08-25': { method_combinations: [['shipping'], ['pickup']] },
  '2026-04-08': { allows_multi_destination: { shipping: false }, allows_method_combinations: [['shipping']] },
};

/** Where release 2026-08-25 has the pages of a capability, and 2026-04-08 had them. */
const folder = (version: Version): string => (version === '2026-08-25' ? 'shopping/' : '');

export const capabilitiesOf = (version: Version): readonly Capability[] => [
  root(names.checkout, `${folder(version)}checkout`, 'checkout.json'),
  root(names.cart, `${folder(version)}cart`, 'cart.json'),
  root(names.order, `${folder(version)}order`, 'order.json'),
  root(names.search, `${folder(version)}catalog/search`, 'catalog_search.json'),
  root(names.lookup, `${folder(version)}catalog/lookup`, 'catalog_lookup.json'),
  { ...root(names.discount, 'discount', 'discount.json'), extends: [names.cart, names.checkout] },
  {
    ...root(names.fulfillment, 'fulfillment', 'fulfillment.json'),
    // Only the newer release has a place for it in the catalogue; neither has one in carts.
    extends: version === '2026-08-25' ? [names.checkout, names.search, names.lookup] : [names.checkout],
    config: oneDestination[version],
  },
  {
    ...root(names.consent, 'buyer-consent', 'buyer_consent.json'),
    extends: version === '2026-08-25' ? [names.cart, names.checkout] : [names.checkout],
  },
];
