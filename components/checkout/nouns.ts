import type { Noun } from '@steward/tools';

/** What ids of a shop's settings name. */
export const checkoutNouns: readonly Noun[] = [
  { noun: 'tax zone', table: 'checkout.tax_zone', key: 'tax_zone_id', called: 't.name' },
  { noun: 'shipping zone', table: 'checkout.shipping_zone', key: 'shipping_zone_id', called: 't.name' },
  {
    noun: 'shipping option',
    table: 'checkout.shipping_option',
    key: 'shipping_option_id',
    called: 't.name',
    money: { amount: 'currency', free_from: 'currency' },
  },
  {
    noun: 'discount',
    table: 'checkout.discount',
    key: 'discount_id',
    called: `t.name || coalesce(' (' || t.code || ')', '')`,
  },
  {
    noun: 'checkout',
    table: 'checkout.session',
    key: 'checkout_id',
    called: `coalesce(t.email, t.checkout_id::text)`,
    money: { total: 'currency' },
  },
  {
    noun: 'tax settings',
    table: 'checkout.tax_setting',
    key: 'tenant_id',
    changedBy: 'service_change_tax_settings',
    called: `'how the shop taxes'`,
  },
];
