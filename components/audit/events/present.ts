import type { Fixed } from '@steward/contract';
import type { z } from 'zod';
import type { StoredEvent } from '../appending/stored.ts';
import type { Principal } from '../envelope/envelope.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { type Names, namesAmong } from './names.ts';
import type { shownEvent } from './schema.ts';

/** An event with what it names is called; what the envelope leaves out is left out here. */
export const presentEvent = (
  { envelope, ...stored }: StoredEvent,
  names: Names,
  receipt?: Receipt,
): Fixed<z.output<typeof shownEvent>> => ({
  ...envelope,
  ...stored,
  displayNames: namesAmong(names, principalsOf({ envelope })),
  receipt,
});

/** Everybody whom an event names. */
export const principalsOf = ({ envelope }: Pick<StoredEvent, 'envelope'>): Principal[] => [
  ...envelope.principalChain,
  envelope.ingestedBy,
];
