import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { formatAmount } from '@steward/kernel';
import { beforeAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { byPriceList, noPriceList, selectPriceLists } from './price-list.ts';

const listed = z.object({
  variantId: z.uuid(),
  productId: z.uuid(),
  /** Of the product. */
  title: z.string(),
  sku: z.string().nullable(),
  /** In the currency of the list, from the lowest quantity on. */
  prices: z.array(z.object({ amount: z.string(), minQuantity: z.int() })),
});

/** A page of the variants that have prices in a list. @throws Problem `not_found` (404) */
export const listListPrices = operation(
  {
    ...reads,
    name: 'service_list_list_prices',
    input: z.strictObject({ ...byPriceList, ...paging }),
    answer: pageOf(listed),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, readAll }, { priceListId, limit, cursor = beforeAllIds }) => {
    const [[list] = [], rows = []] = await readAll([
      selectPriceLists('l.price_list_id = $2::uuid', context.tenant, priceListId),
      statement(
        `select v.variant_id, v.product_id, p.title, v.sku, (
           select json_agg(json_build_array(c.amount::text, c.min_quantity) order by c.min_quantity) from catalogue.price_list_price c
           where c.tenant_id = w.tenant_id and c.price_list_id = w.price_list_id and c.variant_id = w.variant_id) as prices
         from catalogue.price_list_price w
           join catalogue.variant v on v.tenant_id = w.tenant_id and v.variant_id = w.variant_id
           join catalogue.product p on p.tenant_id = v.tenant_id and p.product_id = v.product_id
         where w.tenant_id = $1::uuid and w.price_list_id = $2::uuid and w.min_quantity = 1 and w.variant_id > $3::uuid
         order by w.variant_id limit $4::int`,
        [context.tenant, priceListId, cursor, limit + 1],
      ),
    ]);
    if (list === undefined) throw noPriceList();
    const currency = String(list['currency']);
    return page(
      rows,
      limit,
      (row) => ({
        variantId: String(row['variant_id']),
        productId: String(row['product_id']),
        title: String(row['title']),
        sku: row['sku'] as string | null,
        prices: (row['prices'] as readonly (readonly [string, number])[]).map(([amount, minQuantity]) => ({
          amount: formatAmount(BigInt(amount), currency),
          minQuantity,
        })),
      }),
      ({ variantId }) => variantId,
    );
  },
);
