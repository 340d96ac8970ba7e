import { formatPercentage } from '@steward/accounting';
import { moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import {
  handlersFor,
  type Payments,
  paymentSettingsOf,
  type PostalAddress,
  selectPaymentSettings,
} from '@steward/orders';
import type { Row, Statement } from '@steward/sql';
import { z } from 'zod';
import { showDiscounts, shownDiscount } from '../carts/cart.ts';
import { showLine, shownLine, wantedOf, type WantedLine } from '../pricing/line.ts';
import { message } from '../pricing/message.ts';
import { type Market, price, type Priced, priceReads, type Reading } from '../pricing/price.ts';
import { kinds } from '../shipping/option.ts';
import { countriesOf, selectServed } from '../shipping/served.ts';
import { treatments } from '../totals/line.ts';
import type { Said } from './said.ts';

/** What is still wanted before a checkout can be completed. */
export const wants = ['lines', 'email', 'shipping_address', 'billing_address', 'shipping_option'] as const;

/** What follows from what a buyer said and what the shop sells by. */
export const figures = z.object({
  lines: z.array(shownLine),
  shippingRequired: z.boolean(),
  /** Where something can be shipped in this currency, ISO 3166; null: to every country, or nobody has looked. */
  shippingCountries: z.array(z.string()).nullable(),
  shippingOptions: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      kind: z.enum(kinds),
      /** Before discounts. */
      price: moneyShape,
      /** After them. */
      due: moneyShape,
      minDays: z.int().nullable(),
      maxDays: z.int().nullable(),
      locationId: z.uuid().nullable(),
    }),
  ),
  shippingOptionId: z.uuid().nullable(),
  discounts: z.array(shownDiscount),
  taxes: z.array(z.object({ percentage: z.string(), treatment: z.enum(treatments), net: moneyShape, tax: moneyShape })),
  pricesIncludeTax: z.boolean(),
  /** Of the lines, before discounts. */
  subtotal: moneyShape,
  /** What all discounts take off, of shipping too. */
  discount: moneyShape,
  /** Before discounts; null until it is chosen. */
  shipping: moneyShape.nullable(),
  /** Null until an address is known. */
  tax: moneyShape.nullable(),
  total: moneyShape,
  paymentHandlers: z.array(z.object({ handler: z.string(), methods: z.array(z.string()) })),
  /** Empty: it is ready. */
  missing: z.array(z.enum(wants)),
  messages: z.array(message),
});
export type Figures = z.output<typeof figures>;

export interface Evaluated {
  readonly priced: Priced;
  readonly figures: Figures;
  readonly settings: ReturnType<typeof paymentSettingsOf>;
}

type Read = (statements: readonly Statement[]) => Promise<Row[][]>;

type Accounts = Pick<Payments, 'accounts'>;

/** What `evaluate` reads first. */
export const evaluationReads = (tenant: string, reading: Reading, payments: Accounts): readonly Statement[] => [
  ...priceReads(tenant, reading),
  ...furtherReads(tenant, reading, payments),
];

/** Beside what the price follows from: how it may be paid, and where goods may go. */
function furtherReads(
  tenant: string,
  { mode, currency }: Pick<Reading, 'mode' | 'currency'>,
  { accounts }: Accounts,
): readonly Statement[] {
  const account = accounts?.select(tenant, mode);
  return [selectPaymentSettings(tenant), selectServed(tenant, currency), ...(account === undefined ? [] : [account])];
}

/** What is read of a checkout follows from. */
export const readingOf = (
  { mode, brandId, currency, codes, shippingAddress, billingAddress, email }: Omit<Market, 'mediaAt'> & Said,
  lines: Reading['lines'],
): Reading => ({
  mode,
  brandId,
  currency,
  codes,
  lines,
  address: shippingAddress ?? billingAddress,
  shipTo: shippingAddress,
  buyer: email === null ? null : addressDigest(email),
});

/** What a checkout comes to at this moment, in one round trip. */
export async function evaluate(
  tenant: string,
  read: Read,
  said: Omit<Market, 'mediaAt'> & Said,
  { mediaAt }: Pick<Market, 'mediaAt'>,
  payments: Accounts,
  lines: readonly WantedLine[] = said.lines.map(wantedOf),
): Promise<Evaluated> {
  let own: Row[][] = [];
  const priced = await price(
    tenant,
    async (statements) => {
      const rows = await read([...statements, ...furtherReads(tenant, said, payments)]);
      own = rows.splice(statements.length);
      return rows;
    },
    {
      ...readingOf(said, lines),
      mediaAt,
      lines,
      shippingOptionId: said.shippingOptionId,
      vatNumber: said.vatNumber,
    },
  );
  const [[setting] = [], [served] = [], [known] = []] = own;
  const settings = paymentSettingsOf(setting);
  const card = payments.accounts?.accountIn(known, said.mode) !== undefined;
  const choices = handlersFor(said.mode, settings, card).map(({ handler, methods }) => ({
    handler,
    methods: [...methods],
  }));
  return {
    priced,
    settings,
    figures: { ...shown(said, priced), shippingCountries: countriesOf(served), paymentHandlers: choices },
  };
}

/** One that says the country or the postcode alone is enough to be told what shipping there costs. */
const isWhole = ({ line1, city }: PostalAddress): boolean => line1 !== '' && city !== '';

function shown(
  { currency, email, shippingAddress, billingAddress }: Pick<Market, 'currency'> & Said,
  priced: Priced,
): Omit<Figures, 'paymentHandlers' | 'shippingCountries'> {
  const { lines, totals, option, options, shipsFree, pricing, shippingRequired, messages } = priced;
  const told = (minor: bigint) => money(minor, currency);
  const known = (shippingAddress ?? billingAddress) !== null;
  const missing = {
    lines:
      lines.length === 0 ||
      messages.some(
        ({ severity, lineId, code }) => severity === 'error' && (lineId !== undefined || code === 'amount_too_large'),
      ),
    email: email === null,
    shipping_address: shippingRequired && (shippingAddress === null || !isWhole(shippingAddress)),
    billing_address: !shippingRequired && !known,
    shipping_option: shippingRequired && option === null,
  };
  return {
    lines: lines.map((line) => showLine(line, currency)),
    shippingRequired,
    shippingOptions: options.map(({ id, name, kind, price: minor, minDays, maxDays, locationId }) => ({
      id,
      name,
      kind,
      price: told(minor),
      due: told(shipsFree ? 0n : minor),
      minDays,
      maxDays,
      locationId,
    })),
    shippingOptionId: option?.id ?? null,
    discounts: showDiscounts(priced, currency),
    taxes: known
      ? totals.taxes.map(({ percentage, treatment, net, tax }) => ({
          percentage: String(Number(formatPercentage(percentage))),
          treatment,
          net: told(net),
          tax: told(tax),
        }))
      : [],
    pricesIncludeTax: pricing === 'inclusive',
    subtotal: told(totals.subtotal),
    discount: told(totals.discount),
    shipping: totals.shipping === null ? null : told(totals.shipping.gross),
    tax: known ? told(totals.tax) : null,
    total: told(totals.total),
    missing: wants.filter((want) => missing[want]),
    messages: [...messages],
  };
}

/** Whether the same costs what was seen: taxes that were not known then are no news where the total is what it was. */
export function areAlike(seen: Figures, now: Figures): boolean {
  const untaxed = { taxes: [], tax: null };
  return essence(seen) === essence(seen.tax === null ? { ...now, ...untaxed } : now);
}

const essence = ({
  lines,
  discounts,
  taxes,
  subtotal,
  discount,
  shipping,
  shippingOptionId,
  tax,
  total,
}: Figures): string =>
  JSON.stringify([
    lines.map(({ id, variantId, quantity, unitPrice, total: whole }) => [id, variantId, quantity, unitPrice, whole]),
    discounts.map(({ amount }) => amount),
    taxes.map(({ percentage, treatment, net, tax: due }) => [percentage, treatment, net, due]),
    [subtotal, discount, shipping, shippingOptionId, tax, total].map((one) => one ?? null),
  ]);
