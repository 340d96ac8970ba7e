import { formatPercentage, parsePercentage } from '@steward/accounting';
import { type Fixed, line } from '@steward/contract';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CheckoutDeps } from '../deps.ts';
import { type Faults, moneyGiven, keptOf, moniesOf } from '../money.ts';
import { discountClasses } from '../totals/discount.ts';
import { codeKey, type DiscountSetting } from './discount.ts';

const mostIds = 500;
const mostCurrencies = 50;
const most = z.int().min(1).max(1_000_000_000);
const units = z.int().min(1).max(999_999);
const idList = (what: string) => z.array(z.uuid()).max(mostIds).optional().meta({ description: what });
const monies = z.array(moneyGiven).max(mostCurrencies).optional();
const [earliest, latest] = [Date.UTC(1900, 0), Date.UTC(2200, 0)];
const instant = z.iso
  .datetime({ offset: true })
  .refine(
    (text) => Date.parse(text) >= earliest && Date.parse(text) < latest,
    'Give a moment of the years 1900 to 2199',
  )
  .nullable()
  .optional();

/** What is given of a discount, beside its kind. */
export const terms = {
  name: line(100).meta({ description: 'Name that buyers read, such as `Summer sale`.' }),
  code: line(64)
    .optional()
    .meta({ description: 'What buyers enter, in any case. Without it, the discount is automatic.' }),
  appliesTo: z.enum(['products', 'order']).optional().meta({
    description:
      'Of kinds percentage and fixed_amount. products: each eligible line, or an amount off each unit; order: once, spread over the eligible lines. Default: order.',
  }),
  percentage: z.string().max(8).optional().meta({
    description: 'Of kind percentage, and of what is got: above 0 up to 100, such as "10" or "12.5". "100" is free.',
  }),
  amounts: monies.meta({
    description: 'Of kind fixed_amount: one amount for each currency; in others it does not apply.',
  }),
  productIds: idList(
    'Products that it lowers, up to 500; of kind free_shipping, products of which an order must have one. Without: all.',
  ),
  collectionIds: idList('Collections whose products count beside productIds. From service_list_collections.'),
  buyQuantity: units.optional().meta({ description: 'Of kind buy_x_get_y: units to be bought at their price.' }),
  buyProductIds: idList('Of kind buy_x_get_y: products to be bought, up to 500. Without: all.'),
  buyCollectionIds: idList('Of kind buy_x_get_y: collections of products to be bought, beside buyProductIds.'),
  getQuantity: units
    .optional()
    .meta({ description: 'Of kind buy_x_get_y: units that are lowered, the cheapest first.' }),
  timesPerOrder: units
    .nullable()
    .optional()
    .meta({ description: 'Of kind buy_x_get_y: how often in one order. null: as often as the units allow.' }),
  minimumAmounts: monies.meta({
    description: 'Least price of the eligible lines before discounts, for each currency; in others it does not apply.',
  }),
  minimumQuantity: units.nullable().optional().meta({ description: 'Least number of eligible units. null: none.' }),
  usageLimit: most.nullable().optional().meta({ description: 'How many orders may use it. null: any number.' }),
  usageLimitPerBuyer: most
    .nullable()
    .optional()
    .meta({ description: 'How many orders of one e-mail address may use it. null: any number.' }),
  startsAt: instant.meta({ description: 'RFC 3339. null: at once.' }),
  endsAt: instant.meta({ description: 'RFC 3339, after startsAt. null: never.' }),
  brandIds: z
    .array(z.uuid())
    .max(50)
    .optional()
    .meta({ description: 'From service_list_brands: brands whose shops take it. Empty: all.' }),
  combinesWith: z
    .array(z.enum(discountClasses))
    .max(3)
    .optional()
    .meta({
      description:
        'Classes of other discounts that it may stand beside. Two combine where each names the class of the other. ' +
        'product: lowers products, or buy_x_get_y; order; shipping. Default: none.',
    }),
  active: z.boolean().optional().meta({ description: 'false: not taken. Default: true.' }),
};

export type Terms = Fixed<z.output<z.ZodObject<typeof terms>>>;

type Kind = DiscountSetting['kind'];
const targets = ['appliesTo', 'productIds', 'collectionIds'] as const;
const buying = ['buyQuantity', 'buyProductIds', 'buyCollectionIds', 'getQuantity', 'timesPerOrder'] as const;
/** What a discount of a kind has, and what it needs of that. */
const members: ReadonlyMap<Kind, { readonly has: readonly (keyof Terms)[]; readonly needs: readonly (keyof Terms)[] }> =
  new Map([
    ['percentage', { has: [...targets, 'percentage'], needs: ['percentage'] }],
    ['fixed_amount', { has: [...targets, 'amounts'], needs: ['amounts'] }],
    ['free_shipping', { has: ['productIds', 'collectionIds'], needs: [] }],
    [
      'buy_x_get_y',
      {
        has: ['productIds', 'collectionIds', 'percentage', ...buying],
        needs: ['percentage', 'buyQuantity', 'getQuantity'],
      },
    ],
  ]);
const ofKinds: readonly (keyof Terms)[] = [...targets, 'percentage', 'amounts', ...buying];

/** What is given as discounts answer it; undefined is not given. What does not fit the kind is told. */
export function readTerms(
  faults: Faults,
  kind: Kind,
  { code, amounts, minimumAmounts, percentage, startsAt, endsAt, ...given }: Partial<Terms>,
) {
  const all: Partial<Terms> = { ...given, percentage, amounts };
  for (const member of ofKinds)
    if (all[member] !== undefined && members.get(kind)?.has.includes(member) !== true)
      faults.add(`/${member}`, 'not_of_kind', `A discount of kind ${kind} has none: leave it out.`);
  if (code !== undefined && codeKey(code) === '')
    faults.add('/code', 'invalid_value', 'Give a code of letters and digits.');
  const parsed = percentage === undefined ? undefined : parsePercentage(percentage);
  if (percentage !== undefined && (parsed === undefined || parsed === 0n))
    faults.add(
      '/percentage',
      'invalid_percentage',
      'Give a decimal above 0 up to 100 with up to four digits after the point.',
    );
  const sorted = <T extends string>(list: readonly T[] | undefined): T[] | undefined =>
    list === undefined ? undefined : [...new Set(list)].toSorted();
  const at = (text: string | null | undefined): string | null | undefined =>
    typeof text === 'string' ? new Date(text).toISOString() : text;
  return {
    ...given,
    code,
    percentage: parsed === undefined ? percentage : shortPercentage(formatPercentage(parsed)),
    amounts: amounts === undefined ? undefined : moniesOf(keptOf(faults, '/amounts', amounts)),
    minimumAmounts:
      minimumAmounts === undefined ? undefined : moniesOf(keptOf(faults, '/minimumAmounts', minimumAmounts)),
    startsAt: at(startsAt),
    endsAt: at(endsAt),
    productIds: sorted(given.productIds),
    collectionIds: sorted(given.collectionIds),
    buyProductIds: sorted(given.buyProductIds),
    buyCollectionIds: sorted(given.buyCollectionIds),
    brandIds: sorted(given.brandIds),
    combinesWith: sorted(given.combinesWith),
  };
}

/** As the database answers it: `10`, `12.5`. */
const shortPercentage = (text: string): string => text.replace(/\.?0{1,4}$/, '');

/** Of a kind, while nothing is given yet. */
export const bare = (kind: Kind) => ({
  code: null,
  appliesTo: kind === 'percentage' || kind === 'fixed_amount' ? ('order' as const) : null,
  percentage: null,
  amounts: [],
  productIds: [],
  collectionIds: [],
  buyQuantity: null,
  buyProductIds: [],
  buyCollectionIds: [],
  getQuantity: null,
  timesPerOrder: null,
  minimumAmounts: [],
  minimumQuantity: null,
  usageLimit: null,
  usageLimitPerBuyer: null,
  startsAt: null,
  endsAt: null,
  brandIds: [],
  combinesWith: [],
  active: true,
});

/** All that is given of a discount, as it answers it. */
export type Whole = Pick<DiscountSetting, 'kind' | 'name' | keyof ReturnType<typeof bare>>;

/** Tells of what the kind lacks, of an end before the beginning, and of brands and products that are not there. */
export async function requireWhole(
  tx: TenantTransaction,
  faults: Faults,
  whole: Whole,
  { brandIds = [], ...named }: Pick<Partial<Terms>, 'brandIds' | keyof typeof things>,
  { brandIn, ...known }: CheckoutDeps,
): Promise<void> {
  for (const member of members.get(whole.kind)?.needs ?? []) {
    const value: unknown = whole[member];
    if (value === null || (Array.isArray(value) && value.length === 0))
      faults.add(`/${member}`, 'required', `A discount of kind ${whole.kind} needs it.`);
  }
  const { startsAt, endsAt } = whole;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    faults.add('/endsAt', 'ends_before_start', 'It is not after startsAt: give a later moment.');
  for (const [index, brandId] of brandIds.entries())
    if ((await brandIn(tx, brandId)) === undefined)
      faults.add(
        `/brandIds/${index}`,
        'unknown_brand',
        'There is no such brand in use: list the brands for their ids.',
      );
  for (const [member, what] of Object.entries(things) as [keyof typeof things, 'product' | 'collection'][]) {
    const ids = named[member] ?? [];
    if (ids.length === 0) continue;
    const there = await known[`${what}sIn`](tx, ids);
    for (const [index, id] of ids.entries())
      if (!there.has(id.toLowerCase()))
        faults.add(
          `/${member}/${index}`,
          `unknown_${what}`,
          `There is no such ${what} in this tenant: list the ${what}s for their ids.`,
        );
  }
}

/** Members that name what buyers put into their carts. */
const things = {
  productIds: 'product',
  buyProductIds: 'product',
  collectionIds: 'collection',
  buyCollectionIds: 'collection',
} as const;

/** Values of the columns that are written, in the order of `written`. */
export const written = [
  'name',
  'code',
  'code_key',
  'applies_to',
  'percentage::numeric',
  'amounts::jsonb',
  'product_ids::uuid[]',
  'collection_ids::uuid[]',
  'buy_quantity::int',
  'buy_product_ids::uuid[]',
  'buy_collection_ids::uuid[]',
  'get_quantity::int',
  'times_per_order::int',
  'minimum_amounts::jsonb',
  'minimum_quantity::int',
  'usage_limit::int',
  'usage_limit_per_buyer::int',
  'starts_at::timestamptz',
  'ends_at::timestamptz',
  'brand_ids::uuid[]',
  'combines_with::text[]',
  'active::boolean',
] as const;

export function valuesOf(faults: Faults, whole: Whole): readonly unknown[] {
  const kept = (monies: Whole['amounts']): string => JSON.stringify(keptOf(faults, '', monies));
  return [
    whole.name,
    whole.code,
    whole.code === null ? null : codeKey(whole.code),
    whole.appliesTo,
    whole.percentage,
    whole.kind === 'fixed_amount' ? kept(whole.amounts) : null,
    whole.productIds,
    whole.collectionIds,
    whole.buyQuantity,
    whole.buyProductIds,
    whole.buyCollectionIds,
    whole.getQuantity,
    whole.timesPerOrder,
    kept(whole.minimumAmounts),
    whole.minimumQuantity,
    whole.usageLimit,
    whole.usageLimitPerBuyer,
    whole.startsAt,
    whole.endsAt,
    whole.brandIds,
    whole.combinesWith,
    whole.active,
  ];
}
