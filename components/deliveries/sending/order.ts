/** As much of a delivery as decides about its order. */
export interface Ordered {
  readonly place: bigint;
  /** Null: it waits for nothing. */
  readonly key: string | null;
}

interface Line<T> {
  /** Behind the one that is in hand. */
  readonly behind: T[];
  /** Something of the key is ready or under way. */
  busy: boolean;
  /** One of the key failed: nothing of it is sent until that is tried again. */
  held: boolean;
  /** There are more in the database than here. */
  more: boolean;
}

/** Of one key that wait in memory at most; the others are fetched by their key. */
const mostBehind = 100;

/**
 * What a process has of one endpoint, in an order in which it may be sent: of one key one at a time, and nothing of a key of which one
 * waits to be tried again. The rest of such a key is left in the database until then.
 */
export class Order<T extends Ordered> {
  readonly #ready: T[] = [];
  readonly #lines = new Map<string, Line<T>>();
  /** Places that are here, in hand, or not yet stored. */
  readonly #known = new Set<bigint>();
  /** Keys of which more is to be fetched. */
  readonly wanted = new Set<string>();

  get ready(): number {
    return this.#ready.length;
  }

  /** Everything that is here and not settled. */
  get size(): number {
    return this.#known.size;
  }

  get known(): readonly bigint[] {
    return [...this.#known];
  }

  /** A delivery of this key waits to be tried again, as the database says. */
  hold(key: string): void {
    const line = this.#line(key);
    line.held = true;
    line.more = true;
  }

  /** One that was not tried before. */
  add(one: T): void {
    if (this.#known.has(one.place)) return;
    if (one.key === null) return this.#put(one);
    const line = this.#line(one.key);
    if (line.held || line.more || line.behind.length >= mostBehind) {
      line.more = true;
      if (!line.held && !line.busy) this.wanted.add(one.key);
      return;
    }
    this.#known.add(one.place);
    if (line.busy) line.behind.push(one);
    else {
      line.busy = true;
      this.#ready.push(one);
    }
  }

  /** One that is tried again now. */
  again(one: T): void {
    if (this.#known.has(one.place)) return;
    if (one.key !== null) {
      const line = this.#line(one.key);
      // Only another one that failed before it can be under way.
      if (line.busy) return;
      line.held = false;
      line.busy = true;
      line.more = true;
    }
    this.#put(one);
  }

  /** What was fetched of a key, in order; `all`: there is no more of it. */
  fetched(key: string, some: readonly T[], all: boolean): void {
    this.wanted.delete(key);
    const line = this.#line(key);
    if (line.held || line.busy) return;
    line.more = !all;
    const [first, ...rest] = some.filter(({ place }) => !this.#known.has(place));
    if (first === undefined) {
      if (all) this.#lines.delete(key);
      return;
    }
    line.busy = true;
    this.#put(first);
    for (const one of rest) {
      this.#known.add(one.place);
      line.behind.push(one);
    }
  }

  next(): T | undefined {
    return this.#ready.shift();
  }

  /** It arrived, or is given up: what is behind it may go. */
  done({ key }: T): void {
    if (key === null) return;
    const line = this.#line(key);
    const next = line.behind.shift();
    if (next !== undefined) {
      this.#ready.push(next);
      return;
    }
    line.busy = false;
    if (line.more) this.wanted.add(key);
    else this.#lines.delete(key);
  }

  /** It waits to be tried again, and what is behind it too. */
  failed({ key }: T): void {
    if (key === null) return;
    const line = this.#line(key);
    for (const { place } of line.behind) this.#known.delete(place);
    line.more ||= line.behind.length > 0;
    line.behind.length = 0;
    line.busy = false;
    line.held = true;
    this.wanted.delete(key);
  }

  /** What became of it is stored. */
  settled({ place }: Pick<T, 'place'>): void {
    this.#known.delete(place);
  }

  #put(one: T): void {
    this.#known.add(one.place);
    this.#ready.push(one);
  }

  #line(key: string): Line<T> {
    let line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, (line = { behind: [], busy: false, held: false, more: false }));
    return line;
  }
}
