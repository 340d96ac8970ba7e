import type { TenantTransaction } from '@steward/sql';
import { type Effect, effects } from '../journal/effects.ts';
import type { Entry } from '../journal/entry.ts';
import { entryIn } from '../journal/get.ts';

/** What a verb did to the books: its entries, and the balances before and after them. */
export interface Shown {
  readonly entries: readonly Entry[];
  readonly effects: readonly Effect[];
}

export async function shown(tx: TenantTransaction, entryIds: readonly string[]): Promise<Shown> {
  const entries: Entry[] = [];
  for (const id of entryIds) entries.push(await entryIn(tx, id));
  return { entries, effects: entryIds.length === 0 ? [] : await effects(tx, entryIds) };
}
