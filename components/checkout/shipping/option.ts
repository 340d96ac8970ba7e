import {
  amount,
  count,
  field,
  flag,
  id,
  moment,
  moneyShape,
  nullable,
  type Of,
  oneOf,
  shape,
  text,
} from '@steward/contract';
import { fail, money } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

export const kinds = ['flat', 'by_weight', 'by_price', 'pickup'] as const;

/** As a row keeps it: grams or minor units, and minor units, as text. */
export interface KeptBracket {
  readonly from: string;
  readonly to: string | null;
  readonly amount: string;
}

const weightBracket = z.object({ fromGrams: z.int(), toGrams: z.int().nullable(), amount: moneyShape });
const priceBracket = z.object({ from: moneyShape, to: moneyShape.nullable(), amount: moneyShape });

const keptIn = (value: unknown): readonly KeptBracket[] => value as readonly KeptBracket[];

/** A way of shipping: of `checkout.shipping_option` named `o`. */
export const shippingOption = shape('o', {
  id: id('o.shipping_option_id'),
  /** Null: a pickup that is offered to every address. */
  shippingZoneId: nullable(id()),
  name: text(),
  kind: oneOf(kinds),
  currency: text(),
  /** Of a flat price or a pickup. */
  amount: nullable(amount()),
  /** From the first weight on, and below the second. */
  weightBrackets: nullable(
    field(z.array(weightBracket), `case when o.kind = 'by_weight' then o.brackets end`, (value, row) =>
      keptIn(value).map(({ from, to, amount: price }) => ({
        fromGrams: Number(from),
        toGrams: to === null ? null : Number(to),
        amount: money(BigInt(price), String(row['currency'])),
      })),
    ),
  ),
  priceBrackets: nullable(
    field(z.array(priceBracket), `case when o.kind = 'by_price' then o.brackets end`, (value, row) => {
      const of = (minor: string) => money(BigInt(minor), String(row['currency']));
      return keptIn(value).map(({ from, to, amount: price }) => ({
        from: of(from),
        to: to === null ? null : of(to),
        amount: of(price),
      }));
    }),
  ),
  /** Free for a price from this on, after discounts of products and of the order. */
  freeFrom: nullable(amount()),
  /** Where it is picked up. */
  locationId: nullable(id()),
  minDays: nullable(count()),
  maxDays: nullable(count()),
  taxCategory: text(),
  active: flag(),
  /** Lower ones are shown first. */
  position: count(),
  archived: flag('o.archived_at is not null'),
  /** Counts changes. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type ShippingOption = Of<typeof shippingOption>;

export const byOption = { shippingOptionId: z.uuid().meta({ description: 'From service_list_shipping_options.' }) };

/** Options of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectOptions = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select ${shippingOption.columns} from checkout.shipping_option o where o.tenant_id = $1::uuid and ${rest}`,
    [tenant, ...values],
  );

/** The option, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdOption(tx: TenantTransaction, optionId: string): Promise<ShippingOption> {
  const [row] = await tx.query(
    selectOptions('o.shipping_option_id = $2::uuid for no key update', tx.context.tenant, optionId),
  );
  if (row === undefined)
    throw fail(
      'not_found',
      'There is no such shipping option in this tenant: list the shipping options for their ids.',
    );
  return shippingOption.read(row);
}
