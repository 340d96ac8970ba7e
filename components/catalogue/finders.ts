import type { Finder } from '@steward/access';
import { statement } from '@steward/sql';
import { listProducts } from './products/list.ts';
import { found } from './products/terms.ts';
import { walk } from './products/walk.ts';

/** Products by words of their title, maker, kind, tags and SKUs. */
export const finders: readonly Finder[] = [
  {
    kind: 'product',
    lists: listProducts,
    statements: ({ tenant, text, limit }) => {
      const values: unknown[] = [tenant];
      const say = (value: unknown): string => `$${values.push(value)}`;
      const skus = `(select string_agg(v.sku, ' · ') from (select v.sku from catalogue.variant v
        where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null and v.sku is not null order by v.position limit 3) v)`;
      const conditions = ['p.tenant_id = $1::uuid', ...found({ query: text }, new Map(), say)];
      const sought = walk(
        `p.product_id as id, p.title, concat_ws(' · ', p.vendor, ${skus}) as line`,
        { from: 'catalogue.product p', conditions, order: 'p.product_id desc' },
        `${say(limit)}::int`,
        undefined,
      );
      return [statement(sought, values)];
    },
  },
];
