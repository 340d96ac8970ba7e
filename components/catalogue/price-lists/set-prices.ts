import { asItWas, operation } from '@steward/access';
import type { FieldError } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { refused } from '../errors.ts';
import { changes } from '../operations.ts';
import { expectedVersion, priceInput } from '../products/input.ts';
import { pricesOf } from '../products/variants.ts';
import { listChanged } from './changed.ts';
import { byPriceList, holdPriceLists, priceList, readPriceList, requireVersion } from './price-list.ts';

const most = 500;
/** Of one variant in a list. */
const mostSteps = 10;
/** Of one list: its digest is made of all. */
const mostPrices = 20_000;

/**
 * Sets the prices of variants in a price list: all of them or, if one is wrong, none. Other variants keep theirs.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `price_list_changed` (409)
 */
export const setListPrices = operation(
  {
    ...changes,
    name: 'service_set_list_prices',
    input: z.strictObject({
      ...byPriceList,
      expectedVersion: expectedVersion.meta({
        description: 'Refuses the change where the list has another version by now.',
      }),
      variants: z
        .array(
          z.strictObject({
            variantId: z.uuid().meta({ description: 'From service_get_product.' }),
            prices: z
              .array(priceInput.pick({ amount: true, minQuantity: true }))
              .max(mostSteps)
              .meta({ description: 'The whole list of the variant, in the currency of the list. None: takes it out.' }),
          }),
        )
        .min(1)
        .max(most)
        .meta({ description: 'Up to 500 variants.' }),
    }),
    answer: priceList.answer,
    errors: ['insufficient_role', 'not_found', 'price_list_changed'],
  },
  async (scope, { priceListId, expectedVersion: expected, variants }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      await holdPriceLists(tx);
      const before = await readPriceList(tx, priceListId);
      requireVersion(expected, before);
      const { currency } = before;
      const ids = variants.map(({ variantId }) => variantId.toLowerCase());
      const [known, had] = await tx.queryAll([
        statement(
          `select variant_id from catalogue.variant where tenant_id = $1::uuid and variant_id = any ($2::uuid[]) and removed_at is null`,
          [tenant, ids],
        ),
        statement(
          `select variant_id, min_quantity, amount::text from catalogue.price_list_price
           where tenant_id = $1::uuid and price_list_id = $2::uuid and variant_id = any ($3::uuid[]) order by variant_id, min_quantity`,
          [tenant, priceListId, ids],
        ),
      ]);
      const sold = new Set((known ?? []).map((row) => String(row['variant_id'])));
      const faults: FieldError[] = [];
      const seen = new Set<string>();
      const rows = variants.flatMap(({ prices }, index) => {
        const id = ids[index] ?? '';
        const pointer = `/variants/${index}`;
        const fault = (code: string, detail: string) => faults.push({ pointer: `${pointer}/variantId`, code, detail });
        if (!sold.has(id))
          fault(
            'unknown_variant',
            'There is no such variant in this tenant: read the product for the ids of its variants.',
          );
        else if (seen.has(id)) fault('duplicate', 'Give each variant once.');
        seen.add(id);
        return pricesOf(
          id,
          prices.map((one) => ({ ...one, currency })),
          `${pointer}/prices`,
          faults,
        );
      });
      if (faults.length > 0) throw refused(faults);
      const told = (id: unknown, from: unknown, amount: unknown): string => [id, from, amount].map(String).join(' ');
      const asked = new Set(rows.map((row) => told(row.variant_id, row.min_quantity, row.amount)));
      const present = (had ?? []).map((row) => told(row['variant_id'], row['min_quantity'], row['amount']));
      if (present.length === asked.size && present.every((one) => asked.has(one))) return asItWas(before);
      const [, , counted] = await tx.queryAll([
        statement(
          `delete from catalogue.price_list_price where tenant_id = $1::uuid and price_list_id = $2::uuid and variant_id = any ($3::uuid[])`,
          [tenant, priceListId, ids],
        ),
        statement(
          `insert into catalogue.price_list_price (tenant_id, price_list_id, variant_id, min_quantity, amount)
           select $1::uuid, $2::uuid, c.variant_id, c.min_quantity, c.amount
           from jsonb_to_recordset($3::jsonb) c (variant_id uuid, min_quantity int, amount bigint)`,
          [tenant, priceListId, JSON.stringify(rows)],
        ),
        statement(
          `select count(*)::int as prices from catalogue.price_list_price where tenant_id = $1::uuid and price_list_id = $2::uuid`,
          [tenant, priceListId],
        ),
      ]);
      if (Number(counted?.[0]?.['prices'] ?? 0) > mostPrices) {
        const detail = `A price list has at most ${mostPrices} prices: put the rest into another one.`;
        throw refused([{ pointer: '/variants', code: 'too_big', detail }]);
      }
      await listChanged(tx, priceListId, ['prices']);
      return readPriceList(tx, priceListId);
    }),
);
