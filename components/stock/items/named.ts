import { field, nullable, text } from '@steward/contract';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { StockPorts } from '../ports.ts';

/** Variants that take an item, as many as are told. */
const mostVariants = 20;

/** By what people know an item: of `stock.item` named `i`. */
export const namesOfItem = {
  sku: nullable(text('i.sku')),
  name: nullable(text('i.name')),
  /** Up to 20 that take of it. */
  variantIds: field(
    z.array(z.uuid()),
    `array(select r.variant_id from stock.requirement r where r.tenant_id = i.tenant_id and r.item_id = i.item_id
       order by r.variant_id limit ${mostVariants})`,
  ),
};

/** What people call the variants of an item. */
export const variantsOfItem = {
  variants: z.array(z.object({ id: z.uuid(), title: z.string(), sku: z.string().nullable() })),
};

/** The same with what people call their variants. */
export async function withVariants<One extends { readonly variantIds: readonly string[] }>(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  { variantsNamed }: Pick<StockPorts, 'variantsNamed'>,
  items: readonly One[],
) {
  const names = await variantsNamed(tx, [...new Set(items.flatMap(({ variantIds }) => variantIds))]);
  return items.map((one) => ({
    ...one,
    variants: one.variantIds.flatMap((id) => {
      const named = names.get(id);
      return named === undefined ? [] : [{ id, ...named }];
    }),
  }));
}
