/** Shopify's shops are below one name: anything else is never asked and never sent a code. */
export const shopName = /^[a-z0-9][a-z0-9-]{0,180}\.myshopify\.com$/;

/** Shop that somebody means who types its name, its address, or that of a page of its admin; undefined where none can be told, as of a domain of its own. */
export function shopMeant(typed: string): string | undefined {
  const [first = '', second, third] = typed
    .slice(0, 1_000)
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[/?#]/);
  const name = first === 'admin.shopify.com' && second === 'store' ? (third ?? '') : first;
  const shop = name.includes('.') ? name : `${name}.myshopify.com`;
  return shopName.test(shop) ? shop : undefined;
}

/** Without it nothing is written to products of a shop. Shops that consented before it was asked for go on without it. */
export const writesProducts = 'write_products';

/** What the app cannot do without. What may be written may be read. */
const needed = [
  'read_products',
  'read_orders',
  'read_customers',
  'read_fulfillments',
  'read_locations',
  'read_inventory',
  'write_inventory',
] as const;

/** What the app asks for. */
export const scopes = [...needed, writesProducts] as const;

/** Of what a shop says that it granted. */
export const scopesIn = (granted: string): readonly string[] =>
  granted
    .split(',')
    .map((one) => one.trim())
    .filter((one) => /^[a-z_]{1,100}$/.test(one))
    .slice(0, 100);

/** The scopes that the app cannot do without, and that were not granted. */
export function missingScopes(granted: readonly string[]): readonly string[] {
  const has = new Set(granted);
  return needed.filter((one) => !has.has(one) && !has.has(one.replace(/^read_/, 'write_')));
}
