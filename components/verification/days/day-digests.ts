import { epochMs, readInt64 } from '@steward/sql';
import { createHash, type Hash } from 'node:crypto';
import { genesis } from '@steward/audit/chain';
import { beginOf, dayOf, endOf } from '@steward/archive/format';
import { at, Spans } from '../rows/tuple.ts';

/** What the archive's file of one day would be, made from the rows of the source. Hashes are lower-case hex. */
export interface DayDigest {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstPreviousHash: string;
  readonly lastRowHash: string;
  readonly bytes: number;
  readonly sha256: string;
}

const opening = Buffer.from('{"event":');
const buffered = 512 << 10;
/** Longer than the rest of a line after the event. */
const closing = 160;

/**
 * Hashes the lines of each day as the rows of a chain come by, good or bad. The Merkle root needs no recomputing: the
 * archive's own verifier compares it with the same lines.
 */
export class DayDigests {
  #list: DayDigest[] = [];
  readonly #spans = new Spans();
  #buffer = Buffer.allocUnsafe(buffered);
  #filled = 0;
  #previous = '';
  #begin = Infinity;
  #end = -Infinity;
  #bytes = 0;
  #sha256: Hash | undefined;
  #first = { sequence: 0, previous: '' };
  #last = 0;

  /** A chain begins. */
  begin(tenant: string): void {
    this.#list = [];
    this.#previous = genesis(tenant).toString('hex');
  }

  /** A row as `copyOut` gives it. */
  row(bytes: Buffer): void {
    const received = Math.floor(readInt64(bytes, at.received) / 1000) + epochMs;
    // A row that is in no form to be written makes its day differ.
    if (!this.#spans.measure(bytes) || Number.isNaN(new Date(received).getTime())) return;
    const sequence = readInt64(bytes, at.sequence);
    if (received < this.#begin || received >= this.#end) this.#turn(received, sequence);
    const { event } = this.#spans;
    const rowHash = bytes.toString('hex', at.rowHash, at.rowHash + 32);
    this.#reserve(opening.length + bytes.length - event + closing);
    this.#filled += opening.copy(this.#buffer, this.#filled);
    this.#filled += bytes.copy(this.#buffer, this.#filled, event);
    this.#filled += this.#buffer.write(
      `,"receivedAt":"${new Date(received).toISOString()}","rowHash":"${rowHash}","sequence":${sequence}}\n`,
      this.#filled,
      'latin1',
    );
    this.#previous = rowHash;
    this.#last = sequence;
  }

  /** The rows are over. @returns the days that have any, in the order of the rows */
  end(): readonly DayDigest[] {
    this.#close();
    return this.#list;
  }

  #turn(received: number, sequence: number): void {
    this.#close();
    const day = dayOf(received);
    this.#begin = beginOf(day);
    this.#end = endOf(day);
    this.#bytes = 0;
    this.#sha256 = createHash('sha256');
    this.#first = { sequence, previous: this.#previous };
  }

  #close(): void {
    if (this.#sha256 === undefined) return;
    this.#flush();
    this.#list.push({
      day: dayOf(this.#begin),
      firstSequence: this.#first.sequence,
      lastSequence: this.#last,
      firstPreviousHash: this.#first.previous,
      lastRowHash: this.#previous,
      bytes: this.#bytes,
      sha256: this.#sha256.digest('hex'),
    });
    this.#sha256 = undefined;
    this.#end = -Infinity;
  }

  #reserve(bytes: number): void {
    if (this.#filled + bytes <= this.#buffer.length) return;
    this.#flush();
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(bytes * 2);
  }

  #flush(): void {
    this.#sha256?.update(this.#buffer.subarray(0, this.#filled));
    this.#bytes += this.#filled;
    this.#filled = 0;
  }
}
