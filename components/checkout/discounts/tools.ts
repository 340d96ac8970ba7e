import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import type { CheckoutDeps } from '../deps.ts';
import { archiveDiscount } from './archive.ts';
import { createDiscount } from './create.ts';
import { discount, type DiscountSetting } from './discount.ts';
import { getDiscount } from './get.ts';
import { listDiscounts } from './list.ts';
import { updateDiscount } from './update.ts';

const shows = under('discount', discount.answer);
const worth = ({ kind, percentage, amounts, buyQuantity, getQuantity }: DiscountSetting): string => {
  if (kind === 'free_shipping') return 'free shipping';
  if (kind === 'buy_x_get_y') return `buy ${buyQuantity}, get ${getQuantity} with ${percentage} % off`;
  return `${kind === 'percentage' ? `${percentage} %` : amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(' or ')} off`;
};
const called = (one: DiscountSetting): string =>
  `${one.name} (${one.code === null ? 'automatic' : `code ${one.code}`}), ${worth(one)}`;
/** Half of everything, or some of it for nothing: a slip that is dear before anybody sees it. */
const generous = (one: DiscountSetting): string | undefined => {
  const { kind, percentage, productIds, collectionIds, usageLimit, status } = one;
  const narrow = productIds.length + collectionIds.length > 0;
  const share = kind === 'percentage' ? Number(percentage) : 0;
  if (share < 50 || (share < 100 && narrow) || ['archived', 'expired'].includes(status)) return undefined;
  const who = one.code === null ? 'every buyer' : `every buyer with the code ${one.code}`;
  const parts = [
    ...(productIds.length === 0 ? [] : [counted(productIds.length, 'product')]),
    ...(collectionIds.length === 0 ? [] : [counted(collectionIds.length, 'collection')]),
  ];
  const what = narrow ? parts.join(' and ') : 'whatever is bought';
  return `It gives ${who} ${percentage} % off ${what}, ${usageLimit === null ? 'any number of times' : `up to ${usageLimit} times`}: ask your user whether that is meant.`;
};
const changing = { core: false, annotations: { destructiveHint: false, idempotentHint: true } } as const;

export const discountTools: readonly Tool<CheckoutDeps>[] = [
  toolOf(createDiscount, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Add a discount',
    description:
      'Adds a discount that buyers get by a code or automatically: a percentage or an amount off, free shipping, or units ' +
      'that are got for units that are bought. Discounts do not combine unless `combines_with` of both says so.',
    shows,
    preview: ({ id: _id, createdAt: _made, updatedAt: _at, ...rest }) => ({ discount: rest }),
    warn: generous,
    say: (made, preview) => `${preview ? 'Would add' : 'Added'} ${called(made)}.`,
  }),
  toolOf(updateDiscount, {
    ...changing,
    title: 'Change a discount',
    description:
      'Changes only the given members of a discount. Its kind never changes. `active: false` stops it at once; orders keep ' +
      'what they were given.',
    shows,
    warn: generous,
    say: (changed, preview) =>
      preview ? `Would change the discount to ${called(changed)}.` : `${called(changed)}, is ${changed.status}.`,
  }),
  toolOf(archiveDiscount, {
    final: true,
    rare: true,
    ...changing,
    title: 'Archive a discount',
    description:
      'Takes a discount out of use for good, so that another one can have its code. To pause it, change `active`.',
    shows,
    say: (archived, preview) => (preview ? `Would archive ${called(archived)}.` : `${called(archived)}, is archived.`),
  }),
  toolOf(getDiscount, {
    core: false,
    title: 'Read a discount',
    description: 'Reads one discount: its terms, its status and how often it was used.',
    shows,
    say: (found) => `${called(found)}, is ${found.status}.`,
  }),
  toolOf(listDiscounts, {
    core: false,
    title: 'List discounts',
    description: 'Lists discounts, newest first, with their status and how often they were used.',
    answers: { items: 'discounts' },
    say: ({ items }) => `${counted(items.length, 'discount')}.`,
  }),
];
