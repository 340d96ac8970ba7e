import { useSyncExternalStore } from 'react';
import type { Problem } from './problem.ts';

// What the shell says while something that passes by itself is waited for.

export interface Waiting {
  readonly code: string;
  /** When it is asked again: milliseconds since 1970. */
  readonly until: number;
}

let present: Waiting | undefined;
const listeners = new Set<() => void>();

function tell(next: Waiting | undefined): void {
  if (present === next) return;
  present = next;
  for (const listener of listeners) listener();
}

export const waitFor = ({ code }: Problem, rest: number): void => tell({ code, until: Date.now() + rest });

/** Something was answered. */
export const waited = (): void => tell(undefined);

export const useWaiting = (): Waiting | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => present,
  );
