import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { listRefusals } from './list.ts';

export const refusalTools: readonly Tool[] = [
  toolOf(listRefusals, {
    core: false,
    title: 'List refused submissions',
    description:
      'Lists why submissions to a form were refused, newest first: status, code, fields, and how often in a minute. Use ' +
      'it to find out what is wrong with a page. A refusal appears within a few seconds. Submitted values are not stored.',
    answers: { items: 'refusals' },
    say: ({ items }) =>
      items.length === 0 ? 'No submission was refused lately.' : `${counted(items.length, 'kind')} of refusal.`,
  }),
];
