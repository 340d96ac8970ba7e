import { useSyncExternalStore } from 'react';

// Whether this page is older than the server: a page may stay open over a deployment.

let old = false;
const listeners = new Set<() => void>();

/** Something of this page is there no more, or the server has another one. It stays so until the page is loaded again. */
export function outdated(): void {
  old = true;
  for (const listener of listeners) listener();
}

/** The script and the style sheet that pages of the server begin with; the name of the script changes with everything that is loaded after it. */
const header = 'x-steward-console-entry';

export function heedVersion({ headers }: Response): void {
  const served = headers.get(header);
  const own = [named('script[type=module]', 'src'), named('link[rel=stylesheet]', 'href')].join(' ');
  if (served !== null && served !== own && !old) outdated();
}

const named = (element: string, name: string): string => document.querySelector(element)?.getAttribute(name) ?? '';

export const useOutdated = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => old,
  );
