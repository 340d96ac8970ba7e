import { useSyncExternalStore } from 'react';
import type { To } from './go.tsx';

/** Something that ⌘K finds. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly to?: To;
  readonly act?: () => void;
}

/** Records by what was typed: a search of a screen's records (two characters or more). */
export interface Finder {
  readonly id: string;
  readonly find: (text: string, tenant: string, signal: AbortSignal) => Promise<readonly Command[]>;
}

let verbs: readonly Command[] = [];
let finders: readonly Finder[] = [];
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Offers a thing to do in ⌘K, as long as the returned function is not called: `useEffect(() => offer({…}), [])`. */
export function offer(verb: Command): () => void {
  verbs = [...verbs, verb];
  for (const listener of listeners) listener();
  return () => {
    verbs = verbs.filter((one) => one !== verb);
    for (const listener of listeners) listener();
  };
}

/** Lets ⌘K find records of a kind, on every page: called once, beside `screens/routes.ts`. */
export function findIn(finder: Finder): void {
  finders = [...finders.filter(({ id }) => id !== finder.id), finder];
}

export const useVerbs = (): readonly Command[] => useSyncExternalStore(subscribe, () => verbs);
export const everyFinder = (): readonly Finder[] => finders;
