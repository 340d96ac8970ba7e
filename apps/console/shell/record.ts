import { useEffect, useSyncExternalStore } from 'react';
import type { Place } from '../data/api.ts';

/** Anything with an id: what the inspector shows. */
export interface Inspected {
  /** What it is, in words of the reader: `Order 1042`. */
  readonly title: string;
  readonly id: string;
  /** Where the API has it, if it has it at an address of its own. */
  readonly place?: Place;
  readonly path?: string;
}

interface State {
  /** What `i` opens: the row that has the focus, else what the page is about. */
  readonly row: Inspected | undefined;
  readonly page: Inspected | undefined;
  readonly open: Inspected | undefined;
}

let state: State = { row: undefined, page: undefined, open: undefined };
const listeners = new Set<() => void>();
function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export const inspect = (open: Inspected | undefined): void => change({ open });
export const pointAt = (row: Inspected | undefined): void => change({ row });
export const inspectPresent = (): void => change({ open: state.row ?? state.page });

/** The record that this page is about. */
export function useRecord(record: Inspected | undefined): void {
  const { title, id, place, path } = record ?? {};
  useEffect(() => {
    if (id === undefined || title === undefined) return undefined;
    change({
      page: { title, id, ...(place === undefined ? {} : { place }), ...(path === undefined ? {} : { path }) },
      row: undefined,
    });
    return () => change({ page: undefined, row: undefined });
  }, [title, id, place, path]);
}

export const useInspected = (): Inspected | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state.open,
  );
