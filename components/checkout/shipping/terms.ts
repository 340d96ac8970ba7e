import { type Fixed, line } from '@steward/contract';
import { type Money, money, parseAmount } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CheckoutDeps } from '../deps.ts';
import { amountText, type Faults } from '../money.ts';
import { taxCategory } from '../tax/category.ts';
import type { KeptBracket, ShippingOption } from './option.ts';

const mostBrackets = 50;
const grams = z.int().min(0).max(1_000_000_000);
const days = z.int().min(0).max(365);

const weightBrackets = z
  .array(
    z.strictObject({
      fromGrams: grams.meta({ description: 'From this weight on, in grams.' }),
      toGrams: grams.nullable().meta({ description: 'Below this weight. null, of the last one: any.' }),
      amount: amountText,
    }),
  )
  .min(1)
  .max(mostBrackets);
const priceBrackets = z
  .array(
    z.strictObject({
      from: amountText.meta({ description: 'From this price on, after discounts of products and of the order.' }),
      to: amountText.nullable().meta({ description: 'Below this price. null, of the last one: any.' }),
      amount: amountText,
    }),
  )
  .min(1)
  .max(mostBrackets);
const joined = 'The first one begins at 0, and each begins where the one before ends.';

/** What is given of an option, beside what never changes. */
export const terms = {
  name: line(100).meta({ description: 'Name that buyers read, such as `Standard, 2 to 4 days`.' }),
  amount: amountText.optional().meta({ description: 'Of kind flat, and of pickup, where it is 0 unless given.' }),
  weightBrackets: weightBrackets.optional().meta({ description: `Of kind by_weight. ${joined}` }),
  priceBrackets: priceBrackets.optional().meta({ description: `Of kind by_price. ${joined}` }),
  freeFrom: amountText
    .nullable()
    .optional()
    .meta({ description: 'Free from this price on, after discounts of products and of the order. null: never.' }),
  locationId: z.uuid().optional().meta({ description: 'Of kind pickup: the location of the stock.' }),
  minDays: days.nullable().optional().meta({ description: 'Days until delivery at least.' }),
  maxDays: days.nullable().optional().meta({ description: 'Days until delivery at most.' }),
  taxCategory: taxCategory.optional().meta({ description: 'Decides the tax on shipping. Default: `standard`.' }),
  active: z.boolean().optional().meta({ description: 'false: not offered. Default: true.' }),
  position: z.int().min(0).max(10_000).optional().meta({ description: 'Lower ones are shown first. Default: 0.' }),
};

type Terms = Fixed<z.output<z.ZodObject<typeof terms>>>;
type Stays = Pick<ShippingOption, 'kind' | 'currency'>;

/** What an option of a kind has, and what it has not. */
const members: ReadonlyMap<ShippingOption['kind'], readonly (keyof Terms)[]> = new Map([
  ['flat', ['amount']],
  ['by_weight', ['weightBrackets']],
  ['by_price', ['priceBrackets']],
  ['pickup', ['amount', 'locationId']],
]);
const ofKinds: readonly (keyof Terms)[] = ['amount', 'weightBrackets', 'priceBrackets', 'locationId'];

/** What is given as options answer it; undefined is not given. What does not fit the kind or the currency is told. */
export function readTerms(
  faults: Faults,
  { kind, currency }: Stays,
  given: { readonly [K in keyof Terms]?: Terms[K] | undefined },
): { readonly [K in keyof Terms]?: ShippingOption[K] | undefined } {
  for (const member of ofKinds)
    if (given[member] !== undefined && members.get(kind)?.includes(member) !== true)
      faults.add(`/${member}`, 'not_of_kind', `An option of kind ${kind} has none: leave it out.`);
  const of = (pointer: string, text: string): Money => money(faults.amount(pointer, text, currency), currency);
  const { amount, freeFrom, weightBrackets: weights, priceBrackets: prices, ...rest } = given;
  const byWeight = weights?.map(({ fromGrams, toGrams, amount: price }, index) => ({
    fromGrams,
    toGrams,
    amount: of(`/weightBrackets/${index}/amount`, price),
  }));
  const byPrice = prices?.map(({ from, to, amount: price }, index) => ({
    from: of(`/priceBrackets/${index}/from`, from),
    to: to === null ? null : of(`/priceBrackets/${index}/to`, to),
    amount: of(`/priceBrackets/${index}/amount`, price),
  }));
  join(
    faults,
    '/weightBrackets',
    (byWeight ?? []).map(({ fromGrams, toGrams }) => [BigInt(fromGrams), toGrams === null ? null : BigInt(toGrams)]),
    ['fromGrams', 'toGrams'],
  );
  join(
    faults,
    '/priceBrackets',
    (byPrice ?? []).map(({ from, to }) => [minor(from), to === null ? null : minor(to)]),
    ['from', 'to'],
  );
  return {
    ...rest,
    amount: amount === undefined ? undefined : of('/amount', amount),
    freeFrom: typeof freeFrom === 'string' ? of('/freeFrom', freeFrom) : freeFrom,
    weightBrackets: byWeight,
    priceBrackets: byPrice,
  };
}

/** Tells of brackets that overlap, leave something out or end before they begin. */
function join(
  faults: Faults,
  pointer: string,
  brackets: readonly (readonly [from: bigint, to: bigint | null])[],
  [first, last]: readonly [string, string],
): void {
  let end: bigint | null = 0n;
  for (const [index, [from, to]] of brackets.entries()) {
    const at = `${pointer}/${index}`;
    if (end === null || from < end)
      faults.add(
        `${at}/${first}`,
        'brackets_overlap',
        'It begins before the one before ends: let it begin where that ends.',
      );
    else if (from > end)
      faults.add(
        `${at}/${first}`,
        'brackets_gap',
        index === 0
          ? 'Let the first one begin at 0.'
          : 'Nothing is said of what lies before: let it begin where the one before ends.',
      );
    if (to !== null && to <= from)
      faults.add(`${at}/${last}`, 'invalid_value', 'It ends before it begins: give a higher end.');
    end = to;
  }
}

export const minor = ({ amount, currency }: Money): bigint => parseAmount(amount, currency) ?? 0n;
const minorText = (of: Money): string => String(minor(of));

/** An option as its row keeps it. */
export function columnsOf({ amount, freeFrom, weightBrackets: weights, priceBrackets: prices }: ShippingOption): {
  readonly amount: string | null;
  readonly freeFrom: string | null;
  readonly brackets: string | null;
} {
  const kept: KeptBracket[] | undefined =
    weights?.map(({ fromGrams, toGrams, amount: price }) => ({
      from: String(fromGrams),
      to: toGrams === null ? null : String(toGrams),
      amount: minorText(price),
    })) ??
    prices?.map(({ from, to, amount: price }) => ({
      from: minorText(from),
      to: to === null ? null : minorText(to),
      amount: minorText(price),
    }));
  return {
    amount: amount === null ? null : minorText(amount),
    freeFrom: freeFrom === null ? null : minorText(freeFrom),
    brackets: kept === undefined ? null : JSON.stringify(kept),
  };
}

/** Tells of an option that is complete in no way. */
export function requireWhole(
  faults: Faults,
  option: Pick<ShippingOption, 'kind' | 'minDays' | 'maxDays'> & Readonly<Record<string, unknown>>,
): void {
  for (const member of members.get(option.kind) ?? [])
    if (option[member] === null) faults.add(`/${member}`, 'required', `An option of kind ${option.kind} needs it.`);
  const { minDays, maxDays } = option;
  if ((minDays === null) !== (maxDays === null))
    faults.add(minDays === null ? '/minDays' : '/maxDays', 'required', 'Give both days of the estimate, or none.');
  else if (minDays !== null && maxDays !== null && maxDays < minDays)
    faults.add('/maxDays', 'invalid_value', 'It is below minDays: give as many days or more.');
}

/** Tells of a location that is not there. */
export async function requireLocation(
  tx: TenantTransaction,
  faults: Faults,
  locationId: string | null | undefined,
  { locationIn }: CheckoutDeps,
): Promise<void> {
  if (typeof locationId === 'string' && !(await locationIn(tx, locationId)))
    faults.add(
      '/locationId',
      'unknown_location',
      'There is no such location in use: list the locations for their ids.',
    );
}
