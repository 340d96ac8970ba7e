/** Proves a cart or a checkout. */
export interface Proof {
  readonly id: string;
  readonly token: string;
}

export interface Kept {
  readonly cart?: Proof | undefined;
  readonly checkout?: Proof | undefined;
}

/** Where the client keeps ids and tokens of cart and checkout; `localStorage` is one. */
export interface Keeping {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The storage of the page; where there is none, or the browser refuses it, a memory that lasts as long as the page. */
export function keptBy(name: string, storage?: Keeping): { read(): Kept; write(next: Kept): void } {
  let memory = '{}';
  const own = storage ?? ownStorage();
  return {
    read: () => {
      try {
        const found = JSON.parse(own?.getItem(name) ?? memory) as Kept | null;
        return found ?? {};
      } catch {
        return {};
      }
    },
    write: (next) => {
      memory = JSON.stringify(next);
      try {
        own?.setItem(name, memory);
      } catch {
        // Full, or refused: the page itself still knows.
      }
    },
  };
}

function ownStorage(): Keeping | undefined {
  try {
    return 'document' in globalThis ? globalThis.localStorage : undefined;
  } catch {
    return undefined;
  }
}
