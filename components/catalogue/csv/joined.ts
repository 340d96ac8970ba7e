import type { Fixed } from '@steward/contract';
import type { PriceInput } from '../products/input.ts';
import type { WholeProduct } from '../products/product.ts';
import { asGiven } from '../products/set-variants.ts';
import type { GivenVariant } from '../products/variants.ts';
import type { FileProduct, FileVariant, LineFault } from './read.ts';

export interface Joined {
  readonly options: readonly string[];
  readonly variants: readonly GivenVariant[];
  /** The line of each variant, where the file has it. */
  readonly lines: readonly (number | undefined)[];
  /** What says that the file lacks variants which it must have. */
  readonly fault: LineFault | undefined;
}

type Present = WholeProduct['variants'][number];

/** Whether it has, as products do at Shopify's API, the option by which files say that a product has none. */
const isSpelledOut = ({ options, variants }: WholeProduct): boolean =>
  options.length === 1 &&
  options[0]?.toLowerCase() === 'title' &&
  variants.length === 1 &&
  variants[0]?.options[options[0]]?.toLowerCase() === 'default title';

/** A file that says of a product that it has no options, as it is where that changes nothing. */
const withoutDefaults = (file: FileProduct): FileProduct =>
  file.options?.length === 0 && file.variants.length === 1
    ? { ...file, options: undefined, variants: file.variants.map((one) => ({ ...one, values: undefined })) }
    : file;

/**
 * The variants of a product as they are after the import. A row is the present variant of the same values, else one of the same SKU, else new.
 * Present ones that the file does not have stay behind those that it has.
 */
export function joined(read: FileProduct, before: WholeProduct | undefined, currency: string): Joined {
  const file = before !== undefined && isSpelledOut(before) ? withoutDefaults(read) : read;
  const options = file.options ?? before?.options ?? [];
  const present = before?.variants ?? [];
  const valuesOf = ({ options: values }: Present): string[] =>
    (before?.options ?? []).map((name) => values[name] ?? '');
  const byValues = new Map(present.map((one) => [JSON.stringify(valuesOf(one)), one]));
  const taken = new Set<Present>();
  const matches = file.variants.map(({ values }) => {
    const found = byValues.get(
      JSON.stringify(values ?? (present.length === 1 ? valuesOf(present[0] as Present) : null)),
    );
    if (found === undefined || taken.has(found)) return undefined;
    taken.add(found);
    return found;
  });
  const bySku = new Map(present.flatMap((one) => (one.sku === null || taken.has(one) ? [] : [[one.sku, one]])));
  file.variants.forEach(({ sku }, index) => {
    const found = matches[index] === undefined && typeof sku === 'string' ? bySku.get(sku) : undefined;
    if (found === undefined || taken.has(found)) return;
    taken.add(found);
    matches[index] = found;
  });
  const left = present.filter((one) => !taken.has(one));
  const lost = left.length > 0 && options.length !== before?.options.length;
  const named = (values: readonly string[]) =>
    Object.fromEntries(options.map((name, index) => [name, values[index] ?? '']));
  const own = file.variants.map((one, index): GivenVariant => {
    const match = matches[index];
    return given(one, match, named(one.values ?? (match === undefined ? [] : valuesOf(match))), currency);
  });
  const nameless = file.variants.find(({ values }, index) => values === undefined && matches[index] === undefined);
  const priceless = file.variants.find(
    ({ compareAt }, index) => typeof compareAt === 'string' && !own[index]?.prices?.some(isFor(currency)),
  );
  const faultOf = (): LineFault | undefined => {
    if (lost)
      return {
        line: file.line,
        code: 'variants_left_out',
        detail:
          `The product has another number of options than in the file, and variants that the file lacks (${left.length}): ` +
          'give all of its variants with their SKU, or the same options.',
      };
    if (nameless !== undefined && options.length > 0)
      return {
        line: nameless.line,
        code: 'unknown_variant',
        detail: 'The product has no variant of this SKU: give the columns Option1 Name and Option1 Value.',
      };
    return priceless === undefined
      ? undefined
      : { line: priceless.line, code: 'required', detail: 'Variant Price: give the price, below the one before.' };
  };
  return {
    options,
    variants: [...own, ...left.map((one) => ({ ...asGiven(one), options: named(valuesOf(one)) }))],
    lines: file.variants.map(({ line }) => line),
    fault: faultOf(),
  };
}

function given(
  { line: _line, values: _values, price, compareAt, ...members }: FileVariant,
  match: Present | undefined,
  options: Readonly<Record<string, string>>,
  currency: string,
): GivenVariant {
  const before = match === undefined ? undefined : asGiven(match);
  const had = before?.prices ?? [];
  const isOwn = isFor(currency);
  const old = had.find(isOwn);
  const amount = price ?? old?.amount;
  const compare = compareAt === undefined ? old?.compareAt : (compareAt ?? undefined);
  const said = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...said,
    options,
    prices: [
      ...had.filter((one) => !isOwn(one)),
      ...(amount === undefined ? [] : [{ amount, currency, ...(compare === undefined ? {} : { compareAt: compare }) }]),
    ],
  };
}

const isFor =
  (currency: string) =>
  (one: Fixed<PriceInput>): boolean =>
    one.currency === currency && (one.minQuantity ?? 1) === 1;
