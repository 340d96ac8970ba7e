import { type FieldError, formatAmount, howWritten, isCurrency, newId, parseAmount } from '@steward/kernel';
import type { Fixed } from '@steward/contract';
import type { PriceInput, VariantInput } from './input.ts';

/** A variant as its columns hold it. */
export interface VariantRow {
  readonly variant_id: string;
  readonly product_id: string;
  readonly position: number;
  readonly option_values: readonly string[];
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly weight_grams: number | null;
  readonly requires_shipping: boolean;
}

/** Minor units as text, because JSON has no integers of 64 bits. */
export interface PriceRow {
  readonly variant_id: string;
  readonly currency: string;
  readonly min_quantity: number;
  readonly amount: string;
  readonly compare_at: string | null;
}

export interface VariantRows {
  readonly variants: readonly VariantRow[];
  readonly prices: readonly PriceRow[];
}

/** Minor units: what is sold costs less in every currency, and a thousand million of them can be summed. */
const largest = 999_999_999_999n;

/** The prices of a variant. Faults are added to `faults`. @param pointer of the list */
export function pricesOf(
  variantId: string,
  given: readonly Fixed<PriceInput>[],
  pointer: string,
  faults: FieldError[],
): PriceRow[] {
  const rows: PriceRow[] = [];
  const seen = new Set<string>();
  given.forEach(({ amount: text, currency, compareAt, minQuantity = 1 }, index) => {
    const at = `${pointer}/${index}`;
    const wrong = (member: string, code: string, detail: string) => {
      faults.push({ pointer: `${at}/${member}`, code, detail });
    };
    if (!isCurrency(currency)) {
      wrong('currency', 'unknown_currency', `${currency} is no currency of ISO 4217 with a minor unit.`);
      return;
    }
    const amount = minorOf(text, currency);
    const before = compareAt === undefined ? undefined : minorOf(compareAt, currency);
    const sum = 'invalid_amount';
    if (amount === undefined) return wrong('amount', sum, faultOf(text, currency));
    if (compareAt !== undefined && before === undefined) return wrong('compareAt', sum, faultOf(compareAt, currency));
    if (before !== undefined && before <= amount)
      return wrong('compareAt', sum, 'Give more than the amount, or leave it out.');
    const key = `${currency} ${minQuantity}`;
    if (seen.has(key))
      return wrong('minQuantity', 'duplicate', `The prices in ${currency} have two from ${minQuantity} on: give one.`);
    seen.add(key);
    rows.push({
      variant_id: variantId,
      currency,
      min_quantity: minQuantity,
      amount: String(amount),
      compare_at: before === undefined ? null : String(before),
    });
  });
  for (const currency of new Set(rows.map((row) => row.currency))) {
    if (!seen.has(`${currency} 1`))
      faults.push({
        pointer,
        code: 'required',
        detail: `Give a price in ${currency} from quantity 1 on: those for more begin later.`,
      });
  }
  return rows;
}

export const faultOf = (text: string, currency: string): string =>
  text.startsWith('-')
    ? `${text} is below zero: give 0 or more.`
    : parseAmount(text, currency) === undefined
      ? `${howWritten(text, currency)}.`
      : `${text} is beyond what is sold: give at most ${formatAmount(largest, currency)}.`;

export function minorOf(text: string, currency: string): bigint | undefined {
  const minor = parseAmount(text, currency);
  return minor === undefined || minor < 0n || minor > largest ? undefined : minor;
}

/** Of an object that a caller made: nothing that all objects have. */
export const valueOf = (values: Readonly<Record<string, string>> | undefined, name: string): string | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/** A variant that is given, and the id that it has where it is there already. */
export type GivenVariant = Fixed<VariantInput> & { readonly variantId?: string | undefined };

/**
 * The rows of a product's variants. Faults are added to `faults`: a value that is missing or of no option, two variants of the same values.
 * @param pointer of the product's member `variants`
 */
export function variantsOf(
  productId: string,
  options: readonly string[],
  given: readonly GivenVariant[],
  pointer: string,
  faults: FieldError[],
): VariantRows {
  const variants: VariantRow[] = [];
  const prices: PriceRow[] = [];
  const seen = new Map<string, number>();
  given.forEach((one, position) => {
    const at = `${pointer}/${position}`;
    const values = options.map((name) => valueOf(one.options, name));
    options.forEach((name, index) => {
      if (values[index] === undefined)
        faults.push({ pointer: `${at}/options`, code: 'required', detail: `Give a value for the option ${name}.` });
    });
    for (const name of Object.keys(one.options ?? {})) {
      if (!options.includes(name))
        faults.push({
          pointer: `${at}/options`,
          code: 'unknown_option',
          detail: `The product has no option ${name}: add it to options, or leave the value out.`,
        });
    }
    const key = JSON.stringify(values);
    const twin = seen.get(key);
    if (twin !== undefined)
      faults.push({
        pointer: at,
        code: 'duplicate',
        detail: `It has the same values as variant ${twin}: variants differ in at least one option.`,
      });
    seen.set(key, position);
    const id = one.variantId ?? newId();
    variants.push({
      variant_id: id,
      product_id: productId,
      position,
      option_values: values.map((value) => value ?? ''),
      sku: one.sku ?? null,
      barcode: one.barcode ?? null,
      weight_grams: one.weightGrams ?? null,
      requires_shipping: one.requiresShipping ?? true,
    });
    prices.push(...pricesOf(id, one.prices ?? [], `${at}/prices`, faults));
  });
  return { variants, prices };
}

interface Told {
  readonly currency: string;
  readonly amount: string;
  readonly minQuantity?: number | undefined;
  readonly compareAt?: string | null | undefined;
}

/** Prices in one order, so that equal lists are equal texts. */
export const plainPrices = (prices: readonly Told[]): string =>
  JSON.stringify(
    prices
      .map(({ currency, minQuantity = 1, amount, compareAt }) =>
        JSON.stringify([currency, minQuantity, amount, compareAt ?? null]),
      )
      .toSorted(),
  );
