import { useSyncExternalStore } from 'react';
import type { Problem } from './problem.ts';

// What the shell says while something that passes by itself is waited for.

type Waiting = 'unreachable' | 'limited' | 'unavailable' | 'slow';

let present: Waiting | undefined;
const listeners = new Set<() => void>();

function tell(next: Waiting | undefined): void {
  if (present === next) return;
  present = next;
  for (const listener of listeners) listener();
}

export const waitFor = ({ code, status }: Problem): void =>
  tell(code === 'unreachable' ? code : status === 429 ? 'limited' : 'unavailable');

/** Something was answered. */
export const waited = (): void => tell(undefined);

/** Milliseconds until whoever reads something asks anew: a server that begins no answer by then has lost the question. */
export const longest = 20_000;

/** Milliseconds after which an answer takes long. */
const long = 5_000;

/** Says so where an answer takes long. @returns what is called when there is one */
export function timed(): () => void {
  const timer = setTimeout(() => tell('slow'), long);
  return () => {
    clearTimeout(timer);
    if (present === 'slow') tell(undefined);
  };
}

export const useWaiting = (): Waiting | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => present,
  );
