import { toolOf, type Tool } from '@steward/tools';
import type { OrdersPorts } from '../ports.ts';
import { getLetterSettings } from './get-settings.ts';
import type { BrandLetters } from './settings.ts';
import { updateLetterSettings } from './update-settings.ts';

const said = ({ replyTo, newOrdersTo }: BrandLetters): string =>
  `Buyers answer to ${replyTo ?? 'where the server sends from'}; ${
    newOrdersTo === null ? 'the owners' : newOrdersTo.map(({ address }) => address).join(', ') || 'nobody'
  } are told of new orders.`;

export const letterTools: readonly Tool<OrdersPorts>[] = [
  toolOf(getLetterSettings, {
    rare: true,
    core: false,
    title: 'Read the settings of letters',
    description:
      'Reads where buyers of a brand answer letters to, and who is told of its new orders, with whether each address is written to.',
    say: said,
  }),
  toolOf(updateLetterSettings, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change the settings of letters',
    description:
      'Changes where buyers of a brand answer letters to, and who is told of its new orders. Letters about orders say who bought, so a ' +
      'person approves it. An address that is no member’s may be asked to confirm first; only its reader can.',
    approval: { moneyOut: false },
    say: (changed, preview) => (preview ? `Would change the settings of letters: ${said(changed)}` : said(changed)),
  }),
];
