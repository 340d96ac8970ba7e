import { useEffect, useRef, useSyncExternalStore, type RefObject } from 'react';

// Single keys act where nobody types; they can be turned off (WCAG 2.1.4). What was registered last hears first; of several places on a page, the one that
// has the focus, else the first.

interface Registered {
  /** One key, or two after each other: `g a`. */
  readonly keys: string;
  readonly label: string;
  readonly act: () => void;
  /** Where on the page it acts, if not everywhere. */
  readonly place?: () => Element | null;
}

const kept = 'single keys';
let registered: readonly Registered[] = [];
let on = localStorage.getItem(kept) !== 'off';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const tellAll = (): void => {
  for (const listener of listeners) listener();
};

/**
 * @param keys a key by its name (`j`, `Enter`, `?`), or two after each other (`g a`)
 * @param place where on the page it acts, if not everywhere
 */
export function useKey(
  keys: string,
  label: string,
  act: () => void,
  enabled = true,
  place?: RefObject<Element | null>,
): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const own: Registered = {
      keys,
      label,
      act: () => latest.current(),
      ...(place === undefined ? {} : { place: () => place.current }),
    };
    registered = [own, ...registered];
    tellAll();
    return () => {
      registered = registered.filter((one) => one !== own);
      tellAll();
    };
  }, [keys, label, enabled, place]);
}

/** All keys that act here, each once. */
export function useKeys(): readonly Pick<Registered, 'keys' | 'label'>[] {
  const all = useSyncExternalStore(subscribe, () => registered);
  return [...new Map(all.toReversed().map((one) => [one.keys, one])).values()];
}

export function useSingleKeys(): [boolean, (next: boolean) => void] {
  const value = useSyncExternalStore(subscribe, () => on);
  const set = (next: boolean): void => {
    on = next;
    localStorage.setItem(kept, next ? 'on' : 'off');
    tellAll();
  };
  return [value, set];
}

const typing = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, select, textarea, [contenteditable], dialog[open], [popover]') !== null;

let begun = '';
/** Milliseconds in which a second key belongs to the first. */
const together = 1_200;
let begunAt = 0;

/** Who hears the keys. */
function hearer(wanted: string): Registered | undefined {
  const all = registered.filter(({ keys }) => keys === wanted);
  const [latest] = all;
  if (latest?.place === undefined) return latest;
  const placed = all.flatMap((one) => {
    const element = one.place?.() ?? null;
    return element === null ? [] : [{ one, element }];
  });
  const focused = placed.find(({ element }) => element.contains(document.activeElement));
  const before = (a: Element, b: Element): boolean =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING) === 0;
  return (focused ?? placed.toSorted((a, b) => (before(a.element, b.element) ? -1 : 1))[0])?.one ?? latest;
}

/** The one listener of the page. */
export function hearKeys(): void {
  window.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (!on || event.ctrlKey || event.metaKey || event.altKey || (event.repeat && key.length > 1)) return;
    if (event.defaultPrevented || event.isComposing || typing(target)) return;
    // A focused button or link answers to Enter itself.
    if (key === 'Enter' && target instanceof Element && target.closest('a, button, summary') !== null) return;
    const chord = begun !== '' && event.timeStamp - begunAt < together ? `${begun} ${key}` : key;
    const found = hearer(chord) ?? hearer(key);
    const begins = registered.some(({ keys }) => keys.startsWith(`${key} `));
    begun = found === undefined && begins ? key : '';
    begunAt = event.timeStamp;
    if (found === undefined) return;
    event.preventDefault();
    found.act();
  });
}
