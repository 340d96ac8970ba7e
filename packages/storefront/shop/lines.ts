import type { Discount, Line, Money, Tax } from '../client/shop-types.ts';
import { make } from '../element/dom.ts';
import { isNothing } from './money.ts';
import { picture } from './picture.ts';
import type { Words } from './words.ts';

/** What a line says of its product: picture, title and options. */
export function lineHead(line: Line, href: string): [Element, HTMLElement] {
  const options = Object.values(line.options).join(' · ');
  const title = href
    ? make('a', { href, part: 'line-title' }, line.title)
    : make('span', { part: 'line-title' }, line.title);
  const said = make('div', { part: 'line-text' }, title);
  if (options) said.append(make('span', { part: 'line-options' }, options));
  return [make('div', { part: 'line-frame' }, picture(line.image, line.title)), said];
}

export type Row = readonly [name: string, value: string, part?: string];

export const rows = (all: readonly Row[]): HTMLElement =>
  make(
    'dl',
    { part: 'totals' },
    ...all.map(([name, value, part = 'row']) => make('div', { part }, make('dt', {}, name), make('dd', {}, value))),
  );

interface Sums {
  readonly subtotal: Money;
  readonly discounts: readonly Discount[];
  readonly shipping?: Money | null;
  readonly taxes?: readonly Tax[];
  readonly tax: Money | null;
  readonly total: Money;
  readonly pricesIncludeTax: boolean;
}

/** What the total is made of, and the total; tax within it is said below it, tax beside it above. */
export function totals(sums: Sums, words: Words, price: (money: Money) => string): HTMLElement {
  const { subtotal, discounts, shipping, taxes = [], tax, total, pricesIncludeTax } = sums;
  const label = pricesIncludeTax ? words.taxIncluded : words.tax;
  const charged = taxes.filter((one) => !isNothing(one.tax));
  const taxed: Row[] = charged.length
    ? charged.map((one) => [
        `${label} ${one.percentage ?? ''} %`,
        price(one.tax),
        pricesIncludeTax ? 'row fine' : 'row',
      ])
    : tax && !isNothing(tax)
      ? [[label, price(tax), pricesIncludeTax ? 'row fine' : 'row']]
      : [];
  return rows([
    [words.subtotal, price(subtotal)],
    ...discounts.map(({ name, code, amount }): Row => [code ?? name, `−${price(amount).replace(/^[-−]/, '')}`]),
    ...(shipping ? [[words.shipping, isNothing(shipping) ? words.free : price(shipping)] as const] : []),
    ...(pricesIncludeTax ? [] : taxed),
    [words.total, price(total), 'row total'],
    ...(pricesIncludeTax ? taxed : []),
  ]);
}
