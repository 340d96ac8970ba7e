import type { BuyerCheckout as Checkout, Cart } from '@steward/checkout';
import { minorOf, sumOf } from '../shown/money.ts';
import { type Total, total, totalsOf } from '../shown/totals.ts';

type Priced = Pick<Cart, 'lines' | 'discounts' | 'subtotal' | 'discount' | 'pricesIncludeTax' | 'total' | 'tax'> &
  Partial<Pick<Checkout, 'shipping'>>;

const takenOff = ({ discounts }: Pick<Priced, 'discounts'>, of: (lineId: string | null) => boolean): number =>
  sumOf(
    discounts.flatMap(({ allocations }) => allocations.filter(({ lineId }) => of(lineId)).map(({ amount }) => amount)),
  );

export const lineTotals = (whole: number, off: number): Total[] => [
  total('items_base_amount', whole + off),
  ...(off === 0 ? [] : [total('items_discount', off)]),
  total('subtotal', whole),
  total('total', whole),
];

export const titleOf = (title: string, options: Readonly<Record<string, string>>): string => {
  const values = Object.values(options).filter((value) => value !== '');
  return values.length === 0 ? title : `${title} (${values.join(', ')})`;
};

export const itemIdOf = (variantId: string, names: Readonly<Record<string, string>> = {}): string =>
  names[variantId] ?? variantId;

/** @param names what the agent calls variants that it does not call by their ids */
export const showLines = (priced: Pick<Priced, 'lines' | 'discounts'>, names?: Readonly<Record<string, string>>) =>
  priced.lines.map(
    ({ id, productId, variantId, title, options, sku, image, quantity, unitPrice, total: whole, available }) => {
      const price = minorOf(unitPrice);
      const called = titleOf(title, options);
      const chosen = Object.entries(options).filter(([, value]) => value !== '');
      return {
        id,
        item: { id: itemIdOf(variantId, names), name: called, unit_amount: price },
        quantity,
        name: called,
        unit_amount: price,
        product_id: productId,
        variant_id: variantId,
        ...(sku === null ? {} : { sku }),
        ...(image === null ? {} : { images: [image.url] }),
        ...(chosen.length === 0 ? {} : { variant_options: chosen.map(([name, value]) => ({ name, value })) }),
        availability_status: available ? 'in_stock' : 'out_of_stock',
        totals: lineTotals(
          minorOf(whole),
          takenOff(priced, (lineId) => lineId === id),
        ),
      };
    },
  );

export const showTotals = (priced: Priced): Total[] => {
  const fromLines = takenOff(priced, (lineId) => lineId !== null);
  return totalsOf({
    base: minorOf(priced.subtotal),
    fromLines,
    fromRest: minorOf(priced.discount) - fromLines,
    shipping: priced.shipping ?? null,
    tax: priced.pricesIncludeTax ? null : priced.tax,
    total: priced.total,
  });
};

/** What takes something off, each with where it does. */
export const showApplied = ({ discounts, lines }: Pick<Priced, 'discounts' | 'lines'>) =>
  discounts
    .filter(({ amount }) => minorOf(amount) > 0)
    .map(({ name, code, amount, allocations }, at) => ({
      id: `discount_${at + 1}`,
      ...(code === null ? { automatic: true } : { code }),
      coupon: { id: code ?? name, name },
      amount: minorOf(amount),
      method: 'across',
      priority: at + 1,
      allocations: allocations.map(({ lineId, amount: part }) => ({
        path: lineId === null ? '$.totals.shipping' : `$.line_items[${lines.findIndex(({ id }) => id === lineId)}]`,
        amount: minorOf(part),
      })),
    }));
