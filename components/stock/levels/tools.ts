import { counted, formatAmount, parseAmount } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { listStockValues } from '../costs/values.ts';
import { setStockItems } from '../items/set.ts';
import { listStockMovements } from '../movements/list.ts';
import type { StockPorts } from '../ports.ts';
import { adjustStock } from './adjust.ts';
import type { ChangedLine } from './change.ts';
import { countStock } from './count.ts';
import { expectStock } from './expect.ts';
import { getStock } from './get.ts';
import { transferStock } from './transfer.ts';

const more = ({ nextCursor }: { readonly nextCursor: string | null }): string =>
  nextCursor === null ? '' : ' There are more.';
const repeatable = { destructiveHint: false, idempotentHint: true };
/** As a line named it: what an item or a location is called by, if it is made only then, is another thing each time. */
const named = ({ variantId, itemId, location, cost }: ChangedLine) => ({
  ...(variantId === null ? { itemId } : { variantId }),
  location,
  ...(cost === null ? {} : { cost }),
});
/** What lines say that their goods cost together. */
const costing = (all: readonly ChangedLine[]): string => {
  const costs = all.flatMap(({ cost }) => cost ?? []);
  const [one] = costs;
  if (one === undefined) return '';
  const sum = costs.reduce((minor, { amount }) => minor + (parseAmount(amount, one.currency) ?? 0n), 0n);
  return `, at a cost of ${formatAmount(sum, one.currency)} ${one.currency}`;
};
const lines = (all: readonly unknown[]): string => counted(all.length, 'line');

export const levelTools: readonly Tool<StockPorts>[] = [
  toolOf(getStock, {
    core: false,
    title: 'Get stock',
    description:
      'Lists how much there is of each stock item at each location: on hand, reserved, available, incoming. `below` finds what ' +
      'runs out. Variants without stock items are not counted and always available.',
    answers: { items: 'levels' },
    say: (page) => `${counted(page.items.length, 'level')}.${more(page)}`,
  }),
  toolOf(adjustStock, {
    core: false,
    title: 'Adjust or receive stock',
    description:
      'Adds to what is on hand or takes from it, with a reason. Use it for goods that arrived (`received`), broke or were found. ' +
      'A variant that was not counted is counted from then on. Of an item that is sold on when there is none, less than none may be ' +
      'on hand: that much was taken and never counted. `cost` says what the goods of a line cost in all, so that the books get what sales cost.',
    preview: ({ lines: all }) => ({ lines: all.map((one) => ({ ...named(one), change: one.change })) }),
    warn: ({ lines: all }) => {
      const below = all.filter(({ onHand }) => onHand < 0);
      return below.length === 0
        ? undefined
        : `Less than none is on hand in ${lines(below)}: count what there is with service_count_stock.`;
    },
    say: ({ lines: all }, preview) => `${preview ? 'Would adjust' : 'Adjusted'} stock by ${lines(all)}${costing(all)}.`,
  }),
  toolOf(countStock, {
    core: false,
    annotations: repeatable,
    title: 'Count stock',
    description:
      'Sets what is on hand to what was counted, also for the first time; each item at a location once. Prefer service_adjust_stock where you know the ' +
      'difference: a sale in between is not lost then. `cost` says what goods cost that have no cost yet, such as those of the first count.',
    // With the difference, so that what moves while it waits is seen.
    preview: ({ lines: all }) => ({
      lines: all.map((one) => ({ ...named(one), onHand: one.onHand, change: one.change })),
    }),
    say: ({ lines: all }, preview) =>
      `${preview ? 'Would set' : 'Set'} stock to what was counted in ${lines(all)}${costing(all)}.`,
  }),
  toolOf(expectStock, {
    core: false,
    annotations: repeatable,
    title: 'Set incoming stock',
    description:
      'Sets how much is still to arrive. It cannot be sold yet; service_adjust_stock with the reason `received` takes it in.',
    preview: ({ lines: all }) => ({ lines: all.map((one) => ({ ...named(one), incoming: one.incoming })) }),
    say: ({ lines: all }, preview) => `${preview ? 'Would set' : 'Set'} incoming stock in ${lines(all)}.`,
  }),
  toolOf(transferStock, {
    rare: true,
    core: false,
    title: 'Transfer stock',
    description: 'Moves stock that is on hand and not reserved from one location to another.',
    preview: ({ lines: all }) => ({ lines: all.map((one) => ({ ...named(one), change: one.change })) }),
    say: ({ lines: all }, preview) =>
      `${preview ? 'Would transfer' : 'Transferred'} ${counted(all.length / 2, 'line')}.`,
  }),
  toolOf(setStockItems, {
    rare: true,
    core: false,
    annotations: repeatable,
    title: 'Set stock items of variants',
    description:
      'Says what one piece of a variant takes: a bundle of six takes 6 of the same item as the single bottle. Also sets whether ' +
      'an item is sold on when there is none (`policy`). An empty list ends counting.',
    preview: ({ variants }) => ({
      variants: variants.map(({ variantId, items }) => ({
        variantId,
        items: items.map(({ id: _id, version: _version, ...rest }) => rest),
      })),
    }),
    say: ({ variants }, preview) =>
      `${preview ? 'Would set' : 'Set'} the stock items of ${counted(variants.length, 'variant')}.`,
  }),
  toolOf(listStockValues, {
    rare: true,
    core: false,
    title: 'List what stock is worth',
    description:
      'Lists what each stock item on hand cost, by moving average over all locations: `value` of the `costed` pieces, `unit_cost` of one on ' +
      'average. Pieces beyond them have no known cost: service_count_stock with `cost` says it. `total` is of all items.',
    answers: { items: 'stock_items' },
    say: (page) =>
      `${counted(page.items.length, 'item')}, ${page.total.amount} ${page.total.currency} in all.${more(page)}`,
  }),
  toolOf(listStockMovements, {
    rare: true,
    core: false,
    title: 'List stock movements',
    description:
      'Lists what changed stock, newest first: who, when, why and for which order or checkout, with the change of what is on ' +
      'hand, reserved and incoming.',
    answers: { items: 'movements' },
    say: (page) => `${counted(page.items.length, 'movement')}.${more(page)}`,
  }),
];
