import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { assignFeed, takeMovements } from './assign.ts';
import { listFeeds, listMovements, listPayouts } from './list.ts';

const keep = { annotations: { destructiveHint: false } } as const;

export const feedTools: readonly Tool[] = [
  toolOf(listFeeds, {
    core: false,
    rare: true,
    title: 'List feeds of banks and payment providers',
    description:
      'Lists what connected banks and payment providers report, each with the account of the chart that takes its lines. A ' +
      'clearing feed is the money that a payment provider holds. A bank feed without account waits for ' +
      'service_set_feed_account; one in the state login_required needs a person to log in at the bank again.',
    answers: { items: 'feeds' },
    say: ({ items }) => {
      const idle = items.filter(({ account, state }) => account === null || state !== 'good').length;
      return `${counted(items.length, 'feed')}${idle === 0 ? '' : `, ${counted(idle, 'needs', 'need')} attention`}.`;
    },
  }),
  toolOf(assignFeed, {
    ...keep,
    core: false,
    rare: true,
    title: 'Set the account of a feed',
    description:
      'Sets which account of the chart takes the lines of a feed. Movements that waited become bank lines. Nothing is posted. ' +
      'Lines that it has on another account are moved, unless one of them is matched or reconciled.',
    say: ({ name, account, waiting }, preview) =>
      `${preview ? 'Would set' : 'Set'} ${account ?? ''} as the account of ${name}; ${counted(waiting, 'movement')} waiting.`,
  }),
  toolOf(listMovements, {
    core: false,
    rare: true,
    title: 'List movements of a feed that are no lines',
    description:
      'Lists movements of a feed that wait (no account chosen, or their day is reconciled), or for which a line of an imported ' +
      'file stands (double).',
    answers: { items: 'movements' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'movement')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(takeMovements, {
    ...keep,
    core: false,
    rare: true,
    title: 'Take movements as lines of their own',
    description:
      'Makes bank lines of movements that were taken for lines of an imported file and are others. Nothing is posted.',
    say: ({ name, doubles }, preview) =>
      `${preview ? 'Would take' : 'Took'} movements of ${name} as lines; ${counted(doubles, 'double')} left.`,
  }),
  toolOf(listPayouts, {
    core: false,
    rare: true,
    title: 'List payouts of payment providers',
    description:
      'Lists payouts of payment providers, the latest first, with the sum of the movements that each is made of. A difference ' +
      'other than zero of a complete payout means that a movement is missing. difference is null where the provider does not ' +
      'say of what a payout is made.',
    answers: { items: 'payouts' },
    say: ({ items, nextCursor }) => {
      const off = items.filter(
        ({ difference }) => difference !== null && !/^-?0(\.0+)?$/.test(difference.amount),
      ).length;
      return `${counted(items.length, 'payout')}${off === 0 ? '' : `, ${counted(off, 'differs', 'differ')} from the sum of its movements`}.${nextCursor === null ? '' : ' There are more.'}`;
    },
  }),
];
