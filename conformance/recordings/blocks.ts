import { createHash } from 'node:crypto';

/** Long texts by a short hash that tables name them with; each a paragraph of a file. */
export class Blocks {
  readonly #before: ReadonlyMap<string, string>;
  readonly #found = new Map<string, string>();

  /** @param recorded what is kept of what a table still names, though nobody asked for it anew */
  constructor(recorded: string) {
    this.#before = new Map(
      recorded.split('\n\n').map((block) => [block.slice(0, 8), block.slice(9).replace(/\n$/, '')] as const),
    );
  }

  /** @param text without empty lines */
  keyOf(text: string): string {
    const key = createHash('sha256').update(text).digest('hex').slice(0, 8);
    this.#found.set(key, text);
    return key;
  }

  /** A cell was kept that names it. */
  keep(key: string): void {
    const text = this.#before.get(key);
    if (text !== undefined && !this.#found.has(key)) this.#found.set(key, text);
  }

  toString(): string {
    const sorted = [...this.#found].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `${sorted.map(([key, text]) => `${key}\n${text}`).join('\n\n')}\n`;
  }
}
