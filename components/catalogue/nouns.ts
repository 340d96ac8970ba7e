import type { Noun } from '@steward/tools';

/** What ids of products and their variants name. */
export const catalogueNouns: readonly Noun[] = [
  {
    noun: 'product',
    table: 'catalogue.product',
    key: 'product_id',
    called: 't.title',
    also: {
      pictures: `select jsonb_agg(jsonb_build_object('address', coalesce(m.source, m.digest), 'text', m.alt) order by m.position)
        from catalogue.medium m where m.tenant_id = t.tenant_id and m.product_id = t.product_id`,
      variants: `select jsonb_agg(jsonb_build_object('options', v.option_values, 'sku', v.sku, 'prices', (
          select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('amount', c.amount, 'currency', c.currency, 'from', nullif(c.min_quantity, 1), 'instead_of', c.compare_at))
            order by c.currency, c.min_quantity)
          from catalogue.price c where c.tenant_id = v.tenant_id and c.variant_id = v.variant_id)) order by v.position)
        from catalogue.variant v where v.tenant_id = t.tenant_id and v.product_id = t.product_id and v.removed_at is null`,
    },
    money: { 'variants.prices.amount': 'currency', 'variants.prices.instead_of': 'currency' },
  },
  {
    noun: 'collection',
    table: 'catalogue.collection',
    key: 'collection_id',
    called: 't.title',
    also: {
      products: `select jsonb_agg(p.title order by m.position, m.product_id desc)
        from catalogue.collection_product m join catalogue.product p on p.tenant_id = m.tenant_id and p.product_id = m.product_id
        where t.rules is null and m.tenant_id = t.tenant_id and m.collection_id = t.collection_id`,
    },
    money: { 'rules.value': 'currency' },
  },
  {
    noun: 'price_list',
    table: 'catalogue.price_list',
    key: 'price_list_id',
    called: 't.name',
    also: {
      prices: `select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('variant', concat_ws(' ', p.title, nullif(array_to_string(v.option_values, ' / '), ''), '(' || v.sku || ')'),
            'amount', c.amount, 'from', nullif(c.min_quantity, 1))) order by p.title, v.position, v.variant_id, c.min_quantity)
          from catalogue.price_list_price c join catalogue.variant v on v.tenant_id = c.tenant_id and v.variant_id = c.variant_id
          join catalogue.product p on p.tenant_id = v.tenant_id and p.product_id = v.product_id
          where c.tenant_id = t.tenant_id and c.price_list_id = t.price_list_id`,
    },
    money: { 'prices.amount': 'currency' },
  },
  {
    noun: 'picture',
    table: 'catalogue.medium',
    key: 'medium_id',
    called: `concat_ws(' ', (select p.title from catalogue.product p where p.tenant_id = t.tenant_id and p.product_id = t.product_id),
      nullif(t.alt, ''), '(' || (t.position + 1) || ')')`,
  },
  {
    noun: 'variant',
    table: 'catalogue.variant',
    key: 'variant_id',
    called: `concat_ws(' ', (select p.title from catalogue.product p where p.tenant_id = t.tenant_id and p.product_id = t.product_id),
      nullif(array_to_string(t.option_values, ' / '), ''), '(' || t.sku || ')')`,
  },
];
