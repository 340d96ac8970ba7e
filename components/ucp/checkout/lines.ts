import type { Cart, BuyerCheckout as Checkout } from '@steward/checkout';
import type { Money } from '@steward/kernel';
import { minorOf } from '../shown/money.ts';
import { type Total, totalsOf } from '../shown/totals.ts';

type Priced = Pick<Cart, 'lines' | 'discounts' | 'subtotal' | 'discount' | 'pricesIncludeTax' | 'total' | 'tax'> &
  Partial<Pick<Checkout, 'shipping'>>;

const sum = (amounts: readonly Money[]): number => amounts.reduce((all, one) => all + minorOf(one), 0);

const takenOff = ({ discounts }: Pick<Priced, 'discounts'>, of: (lineId: string | null) => boolean): number =>
  sum(
    discounts.flatMap(({ allocations }) => allocations.filter(({ lineId }) => of(lineId)).map(({ amount }) => amount)),
  );

/** @param names what the platform calls variants that it does not call by their ids */
export const showLines = (
  priced: Pick<Priced, 'lines' | 'discounts'>,
  names: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>>[] =>
  priced.lines.map(({ id, variantId, title, options, image, quantity, unitPrice, total }) => {
    const off = takenOff(priced, (lineId) => lineId === id);
    const whole = minorOf(total);
    const totals: Total[] = [
      { type: 'subtotal', amount: whole + off },
      ...(off === 0 ? [] : [{ type: 'items_discount', amount: -off }]),
      { type: 'total', amount: whole },
    ];
    return {
      id,
      item: {
        id: names[variantId] ?? variantId,
        title: titleOf(title, options),
        price: minorOf(unitPrice),
        ...(image === null ? {} : { image_url: image.url }),
      },
      quantity,
      totals,
    };
  });

export const titleOf = (title: string, options: Readonly<Record<string, string>>): string => {
  const values = Object.values(options).filter((value) => value !== '');
  return values.length === 0 ? title : `${title} (${values.join(', ')})`;
};

export const showTotals = (priced: Priced): Total[] => {
  const fromLines = takenOff(priced, (lineId) => lineId !== null);
  return totalsOf({
    subtotal: priced.subtotal,
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
    .map(({ name, code, amount, allocations }) => ({
      title: name,
      ...(code === null ? { automatic: true } : { code }),
      amount: minorOf(amount),
      method: 'across',
      allocations: allocations.map(({ lineId, amount: part }) => ({
        path:
          lineId === null
            ? '$.totals[?@.type=="fulfillment"]'
            : `$.line_items[${lines.findIndex(({ id }) => id === lineId)}]`,
        amount: minorOf(part),
      })),
    }));
