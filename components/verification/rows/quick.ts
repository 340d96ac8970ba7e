import { epochMs, readInt64 } from '@steward/sql';
import { hash } from 'node:crypto';
import { isCanonical } from './canonical-text.ts';
import { QuickCopies } from './quick-copies.ts';
import { at, Spans } from './tuple.ts';

const eventDomain = Buffer.from('audit-event/v1\n');
const rowDomain = Buffer.from('audit-row/v1\n');
const previousAt = rowDomain.length;
const sequenceAt = previousAt + 32;
const receivedAt = sequenceAt + 8;
const eventAt = receivedAt + 8;
const mostViews = 4096;

/** The end of a sound chain. */
export interface Place {
  readonly sequence: number;
  readonly rowHash: Buffer;
  /** Milliseconds since the epoch. */
  readonly received: number;
}

/**
 * Proves a row sound at the least cost: it follows from the row before it, its hashes and copies are those of its text.
 * What it cannot prove is for the careful walk to judge, so it may be narrow but never generous.
 */
export class Quick {
  readonly #copies: QuickCopies;
  readonly #canonical: boolean;
  readonly #spans = new Spans();
  readonly #row = Buffer.alloc(eventAt + 32);
  #event = Buffer.alloc(4096);
  /** Texts are often as long as one before: a view of the buffer for each length. */
  #views: Buffer[] = [];
  #sequence = Number.NaN;
  #received = Number.NaN;

  constructor(tenant: string, canonical: boolean) {
    this.#copies = new QuickCopies(tenant);
    this.#canonical = canonical;
    rowDomain.copy(this.#row);
    eventDomain.copy(this.#event);
  }

  /** From here on rows can be proved. */
  stand({ sequence, rowHash, received }: Place): void {
    rowHash.copy(this.#row, previousAt);
    this.#sequence = sequence;
    this.#received = received;
  }

  /** The last row that was proved, or the given place; undefined after `leave`. */
  get place(): Place | undefined {
    if (Number.isNaN(this.#sequence)) return undefined;
    const rowHash = Buffer.from(this.#row.subarray(previousAt, sequenceAt));
    return { sequence: this.#sequence, rowHash, received: this.#received };
  }

  /** The principals of the last row that was proved, as COPY gives them: the same string as long as they are the same. */
  get principals(): string {
    return this.#copies.principals;
  }

  leave(): void {
    this.#sequence = Number.NaN;
  }

  /** @returns the idempotency key that the text names, '' where none; undefined where the row is not proved */
  prove(bytes: Buffer): string | undefined {
    if (readInt64(bytes, at.sequence) !== this.#sequence + 1 || !this.#spans.measure(bytes)) return undefined;
    const microseconds = readInt64(bytes, at.received);
    const received = microseconds / 1000 + epochMs;
    if (microseconds % 1000 !== 0 || !(received >= this.#received)) return undefined;

    const row = bytes.toString('latin1');
    if (this.#eventHash(bytes) !== row.slice(at.eventHash, at.eventHash + 32)) return undefined;
    copy32(bytes, at.eventHash, this.#row, eventAt);
    writeInt64(this.#row, sequenceAt, this.#sequence + 1);
    writeInt64(this.#row, receivedAt, received);
    if (hash('sha256', this.#row, 'latin1') !== row.slice(at.rowHash, at.rowHash + 32)) return undefined;

    const key = this.#copies.key(row, bytes, this.#spans);
    if (key === undefined || (this.#canonical && !this.#isCanonical(bytes))) return undefined;
    copy32(bytes, at.rowHash, this.#row, previousAt);
    this.#sequence += 1;
    this.#received = received;
    return key;
  }

  #eventHash(bytes: Buffer): string {
    const from = this.#spans.event;
    const length = eventDomain.length + bytes.length - from;
    if (length > this.#event.length) {
      this.#event = Buffer.alloc(length * 2);
      this.#views = [];
      eventDomain.copy(this.#event);
    }
    bytes.copy(this.#event, eventDomain.length, from, bytes.length);
    const view =
      length > mostViews ? this.#event.subarray(0, length) : (this.#views[length] ??= this.#event.subarray(0, length));
    return hash('sha256', view, 'latin1');
  }

  #isCanonical(bytes: Buffer): boolean {
    const text = bytes.toString('utf8', this.#spans.event, bytes.length);
    try {
      return isCanonical(text, JSON.parse(text));
    } catch {
      return false;
    }
  }
}

// In a loop: for so few bytes a call of copy or write costs three times as much.
function copy32(from: Uint8Array, start: number, to: Uint8Array, place: number): void {
  for (let index = 0; index < 32; index += 1) to[place + index] = from[start + index] ?? 0;
}

/** Of a number that is not negative and exact. */
function writeInt64(bytes: Uint8Array, offset: number, value: number): void {
  let high = Math.floor(value / 2 ** 32);
  let low = value >>> 0;
  for (let index = 3; index >= 0; index -= 1) {
    bytes[offset + index] = high;
    bytes[offset + 4 + index] = low;
    high >>>= 8;
    low >>>= 8;
  }
}
