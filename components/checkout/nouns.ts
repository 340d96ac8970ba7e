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
    also: {
      brackets: `select coalesce(jsonb_agg(jsonb_build_object(case t.kind when 'by_price' then 'price_from' else 'grams_from' end, b -> 'from',
          case t.kind when 'by_price' then 'price_below' else 'grams_below' end, b -> 'to', 'amount', b -> 'amount') order by n), t.brackets)
        from jsonb_array_elements(case jsonb_typeof(t.brackets) when 'array' then t.brackets end) with ordinality w (b, n)`,
    },
    money: {
      amount: 'currency',
      free_from: 'currency',
      'brackets.amount': 'currency',
      'brackets.price_from': 'currency',
      'brackets.price_below': 'currency',
    },
  },
  {
    noun: 'discount',
    table: 'checkout.discount',
    key: 'discount_id',
    called: `t.name || coalesce(' (' || t.code || ')', '')`,
    money: { 'amounts.*': 'currency', 'minimum_amounts.*': 'currency' },
  },
  {
    noun: 'checkout',
    table: 'checkout.session',
    key: 'checkout_id',
    called: `coalesce(t.email, t.checkout_id::text)`,
    money: { total: 'currency', 'lines.price': 'currency' },
  },
  {
    noun: 'tax settings',
    table: 'checkout.tax_setting',
    key: 'tenant_id',
    changedBy: 'service_change_tax_settings',
    called: `'how the shop taxes'`,
  },
];
