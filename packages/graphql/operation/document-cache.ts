/** Keeps what was worked out for a text, least recently used out first, within a number of entries and of bytes. */
export class DocumentCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  readonly #mostEntries: number;
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostEntries: number, mostBytes: number) {
    this.#mostEntries = mostEntries;
    this.#mostBytes = mostBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(text: string): V | undefined {
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    return entry.value;
  }

  set(text: string, value: V, bytes: number): void {
    if (bytes > this.#mostBytes / 8 || this.#entries.has(text)) return;
    this.#entries.set(text, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#mostEntries && this.#bytes <= this.#mostBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}
