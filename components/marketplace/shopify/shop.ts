/** Shopify's shops are below one name: anything else is never asked and never sent a code. */
export const shopName = /^[a-z0-9][a-z0-9-]{0,180}\.myshopify\.com$/;

/** What the app asks for. What may be written may be read. */
export const scopes = [
  'read_products',
  'read_orders',
  'read_customers',
  'read_fulfillments',
  'read_locations',
  'read_inventory',
  'write_inventory',
] as const;

/** The scopes that were not granted. */
export function missingScopes(granted: string): readonly string[] {
  const has = new Set(granted.split(',').map((one) => one.trim()));
  return scopes.filter((one) => !has.has(one) && !has.has(one.replace(/^read_/, 'write_')));
}
