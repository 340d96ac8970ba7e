import { type Money, money as toMoney, parseAmount } from '@steward/kernel';
import { lines, oneLine } from '@steward/mail';
import type { Order } from '../orders/order.ts';
import type { Refund } from '../refunds/refund.ts';
import type { Language, Manner } from './format.ts';
import { type BrandPages, brandPages, type Shown } from './shown.ts';
import { type Words, wordsIn } from './words.ts';

/** A line of an order as readers see it. */
export interface Item {
  readonly name: string;
  readonly quantity: string;
  readonly amount: string;
}

export interface Sum {
  readonly name: string;
  readonly amount: string;
  readonly strong?: true;
}

/** What was bought and what it costs: amounts of items and sums add up to the total from top to bottom. */
export interface Summary {
  readonly items: readonly Item[];
  readonly sums: readonly Sum[];
  readonly notes: readonly string[];
}

/** Lines in a letter or on a page; an order has 500 at most. */
export const nameOf = ({ title, options }: Pick<Order['lines'][number], 'title' | 'options'>): string =>
  oneLine([title, ...Object.entries(options).map(([name, value]) => `${name}: ${value}`)].join(', '), 300);

export function summaryOf(
  { order, missedDay }: Pick<Shown, 'order' | 'missedDay'>,
  { money, count, percentage, day }: Manner,
  words: Words,
): Summary {
  const { currency, shipping, discounts, taxes, pricesIncludeTax } = order;
  const zero = (amount: Money): boolean => (parseAmount(amount.amount, currency) ?? 0n) === 0n;
  const taken = (amount: Money): string => money({ amount: `-${amount.amount}`, currency });
  const due = taxes.filter(({ tax }) => !zero(tax));
  return {
    items: order.lines.map((line) => ({
      name: nameOf(line),
      quantity: `${count(line.quantity)} × ${money(line.unitPrice)}`,
      amount: money(line.gross),
    })),
    sums: [
      { name: words.subtotal, amount: money(order.subtotal) },
      ...(shipping === null
        ? []
        : [{ name: `${words.shipping}: ${oneLine(shipping.name, 200)}`, amount: money(shipping.gross) }]),
      ...discounts
        .filter(({ amount }) => !zero(amount))
        .map(({ name, amount }) => ({ name: `${words.discount}: ${oneLine(name, 200)}`, amount: taken(amount) })),
      ...(pricesIncludeTax
        ? []
        : due.map((one) => ({ name: words.tax(percentage(one.percentage)), amount: money(one.tax) }))),
      { name: words.total, amount: money(order.total), strong: true as const },
      ...(pricesIncludeTax
        ? due.map((one) => ({ name: words.taxContained(percentage(one.percentage)), amount: money(one.tax) }))
        : []),
      ...(zero(order.captured) ? [] : [{ name: words.paid, amount: money(order.captured) }]),
      ...(zero(order.refunded) ? [] : [{ name: words.refunded, amount: money(order.refunded) }]),
      ...(zero(order.credited) ? [] : [{ name: words.credited, amount: taken(order.credited) }]),
      // Of an order of which nothing is paid or taken back, it is the total.
      ...((zero(order.captured) && zero(order.credited)) || zero(order.balanceDue)
        ? []
        : [{ name: words.leftToPay, amount: money(order.balanceDue), strong: true as const }]),
      ...(zero(order.toGiveBack) ? [] : [{ name: words.leftToGiveBack, amount: money(order.toGiveBack) }]),
    ],
    notes: [
      ...(taxes.some(({ treatment }) => treatment === 'reverse_charge') ? [words.reverseCharge] : []),
      ...(missedDay === null ? [] : [words.missedDay(day(missedDay))]),
    ],
  };
}

/** What was taken back: its amounts contain their tax and add up to what is given back, and what need not be paid any more. */
export function refundOf(refund: Refund, order: Order, { money, count }: Manner, words: Words): Summary {
  const { currency, lines, shippingNet, shippingTax, adjustment, balance, credited, total } = refund;
  const minor = ({ amount }: Money): bigint => parseAmount(amount, currency) ?? 0n;
  const names = new Map(order.lines.map((line) => [line.id, nameOf(line)]));
  const shipping = minor(shippingNet) + minor(shippingTax);
  return {
    items: [],
    sums: [
      ...lines.map((line) => ({
        name: `${count(line.quantity)} × ${names.get(line.lineId) ?? ''}`,
        amount: money(line.total),
      })),
      ...(shipping === 0n ? [] : [{ name: words.shipping, amount: money(toMoney(shipping, currency)) }]),
      ...(minor(adjustment) === 0n ? [] : [{ name: words.adjustment, amount: money(adjustment) }]),
      ...(minor(balance) === 0n ? [] : [{ name: words.overpaid, amount: money(balance) }]),
      ...(minor(credited) === 0n ? [] : [{ name: words.credited, amount: money(credited), strong: true as const }]),
      ...(minor(total) === 0n ? [] : [{ name: words.refund, amount: money(total), strong: true as const }]),
      ...(minor(credited) === 0n || minor(order.balanceDue) === 0n
        ? []
        : [{ name: words.leftToPay, amount: money(order.balanceDue), strong: true as const }]),
    ],
    notes: [],
  };
}

/** By how much an order costs more or less since it was edited, as its lines. */
export const differenceLines = (
  { before, after, difference }: NonNullable<Shown['edit']>,
  { money }: Manner,
  { differs }: Words,
): string[] => [`${money(before.total)} → ${money(after.total)}`, `${differs}: ${money(difference)}`];

/** How a refund reaches its buyer: an amount for each payment that it is of. */
export const givenBackLines = ({ payments }: Refund, { money }: Manner, { givenBackBy }: Words): string[] =>
  payments.map((one) => givenBackBy[one.givenBackBy](money(one.amount)));

type Address = NonNullable<Order['shippingAddress']>;

/** An address as its lines. A buyer typed it, who may be anyone. */
export const addressLines = (address: Address, { country }: Manner): string[] =>
  [
    address.company,
    address.name,
    address.line1,
    address.line2,
    [address.postcode, address.city].filter((part) => part !== null).join(' '),
    address.region,
    country(address.country),
  ]
    .filter((line) => line !== null)
    .map((line) => oneLine(line, 120))
    .filter((line) => line !== '');

/** How an order is to be paid, as its lines. */
export const paymentLines = (
  { toPay, order }: Pick<Shown, 'toPay' | 'order'>,
  { day }: Pick<Manner, 'day'>,
  words: Words,
): string[] =>
  toPay === null
    ? []
    : [
        words.methods[toPay.method],
        ...textLines(toPay.instructions ?? ''),
        ...(toPay.method === 'cash_on_delivery' ? [] : [words.payReference(order.number)]),
        ...(toPay.payBy === null ? [] : [words.payBy(day(toPay.payBy))]),
      ];

/** A text of several lines, without empty ones. */
export const textLines = (text: string): string[] =>
  lines(text, 2_000)
    .split('\n')
    .filter((line): line is string => line.trim() !== '');

/** Where a brand leads its buyers, in their words. */
export const pageLinks = (pages: BrandPages, language: Language): { readonly name: string; readonly url: string }[] =>
  brandPages.flatMap((page) => {
    const { [page]: url } = pages;
    return url === undefined ? [] : [{ name: wordsIn[language].pages[page], url }];
  });
