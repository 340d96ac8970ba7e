import type { Fixed } from '@steward/contract';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { effect, effects } from '../journal/effects.ts';
import { entry, type Entry } from '../journal/entry.ts';
import { entryIn } from '../journal/get.ts';

/** What a verb did to the books: its entries, and the balances before and after them. */
export const booked = z.object({ entries: z.array(entry.answer), effects: z.array(effect) });
export type Shown = Fixed<z.output<typeof booked>>;

export async function shown(tx: TenantTransaction, entryIds: readonly string[]): Promise<Shown> {
  const entries: Entry[] = [];
  for (const id of entryIds) entries.push(await entryIn(tx, id));
  return { entries, effects: entryIds.length === 0 ? [] : await effects(tx, entryIds) };
}
