import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { listCheckouts } from './list.ts';
import { memberCheckout, readCheckout } from './read.ts';

export const checkoutTools: readonly Tool[] = [
  toolOf(listCheckouts, {
    core: false,
    title: 'List checkouts',
    description:
      'Lists checkouts of buyers, newest first: open and ready ones, those that are being paid, and those whose buyers left (`expired`).',
    answers: { items: 'checkouts' },
    say: ({ items }) => `${counted(items.length, 'checkout')}.`,
  }),
  toolOf(readCheckout, {
    core: false,
    title: 'Read a checkout',
    description:
      'Reads one checkout: what its buyer wants, what it comes to, what it still lacks, and how its payment stands. Buyers alone change it.',
    shows: under('checkout', memberCheckout),
    say: ({ status, total, email }) =>
      `A checkout of ${email ?? 'somebody'} for ${total.amount} ${total.currency}, ${status}.`,
  }),
];
