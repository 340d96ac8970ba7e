import { useSyncExternalStore, type ReactNode } from 'react';
import type { To } from './go.tsx';

/** Something that ⌘K finds. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** What strangers wrote in its place, and what tells it from others. */
  readonly shown?: ReactNode;
  readonly to?: To;
  readonly act?: () => void;
}

let verbs: readonly Command[] = [];
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

export const useVerbs = (): readonly Command[] => useSyncExternalStore(subscribe, () => verbs);
