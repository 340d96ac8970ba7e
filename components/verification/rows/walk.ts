import { eventHash, genesis, rowHash } from '@steward/audit/chain';
import type { Envelope } from '@steward/audit';
import { isCanonical } from './canonical-text.ts';
import { differingCopies } from './copies.ts';
import type { Findings, SourceFinding } from '../log/finding.ts';
import { Quick } from './quick.ts';
import { decodeEvent, type EventRow, Spans } from './tuple.ts';

export interface Head {
  readonly sequence: bigint;
  readonly rowHash: Buffer;
  /** Microseconds since the epoch; undefined in an empty chain. */
  readonly receivedUs: bigint | undefined;
}

export interface WalkOptions {
  /** The first sequence to judge; up to two rows below it are taken in so that it may follow from them. */
  readonly from: bigint;
  /** Whether texts are canonicalized again: else a text that was hashed is believed to be canonical. */
  readonly canonical: boolean;
}

/** One tenant's chain, followed row by row. A bad row is named once; its neighbours are judged by what is stored. */
export class Walk {
  readonly #tenant: string;
  readonly #findings: Findings;
  readonly #options: WalkOptions;
  readonly #quick: Quick;
  /**
   * What the next row may follow: the row hash that is stored and, where it is not the right one, the one that should
   * be. None where that row is missing.
   */
  #previous: readonly Buffer[];
  #last: bigint;
  #stored: Pick<EventRow, 'rowHash' | 'receivedUs'> | undefined;
  /** Microseconds, whole milliseconds, of the last row that follows from its neighbour. */
  #received = -1n;
  #sound = true;
  readonly #spans = new Spans();
  /** Of the last row, as COPY gives them; undefined where they cannot be read. */
  principals: string | undefined;

  constructor(tenant: string, findings: Findings, options: WalkOptions) {
    this.#tenant = tenant;
    this.#findings = findings;
    this.#options = options;
    this.#quick = new Quick(tenant, options.canonical);
    const begins = options.from <= 1n;
    this.#last = begins ? 0n : options.from - 3n;
    this.#previous = begins ? [genesis(tenant)] : [];
    if (begins) this.#quick.stand({ sequence: 0, rowHash: genesis(tenant), received: 0 });
  }

  /** The last sequence seen. */
  get last(): bigint {
    this.#adopt();
    return this.#last;
  }

  /**
   * Judges a row as `copyOut` gives it.
   * @returns the idempotency key that its text names, '' where none; undefined where the text cannot be read
   */
  row(bytes: Buffer): string | undefined {
    const key = this.#quick.prove(bytes);
    if (key !== undefined) {
      this.principals = this.#quick.principals;
      return key;
    }
    this.principals = this.#spans.measure(bytes)
      ? bytes.toString('latin1', this.#spans.principals, this.#spans.event - 4)
      : undefined;
    this.#adopt();
    this.#quick.leave();
    const row = decodeEvent(bytes);
    const envelope = this.#judge(row);
    if (this.#sound && row.receivedUs >= 0n && this.#previous[0]?.length === 32)
      this.#quick.stand({
        sequence: Number(row.sequence),
        rowHash: row.rowHash,
        received: Number(this.#received) / 1000,
      });
    // As the table of keys is read: UTF-8, one byte a character.
    return envelope === undefined ? undefined : Buffer.from(String(envelope.idempotencyKey ?? '')).toString('latin1');
  }

  /** The rows up to `before` are over, and others follow: nothing may be missing. */
  hand(before: bigint): void {
    this.#adopt();
    if (this.#last < before - 1n) this.#find('gap', this.#next(), 'rows are missing', before - 1n);
  }

  end(head: Head | undefined): void {
    this.#adopt();
    if (head === undefined) {
      this.#find('head', this.#last, 'the chain has rows and no head');
      return;
    }
    const { sequence } = head;
    if (sequence > this.#last) {
      this.#find('tail', this.#next(), `the head stands at ${sequence}, the rows end before`, sequence);
    } else if (sequence < this.#last) {
      this.#find('head', sequence + 1n, `the head stands at ${sequence}, rows go on behind it`, this.#last);
    } else if (sequence === 0n) {
      if (!head.rowHash.equals(genesis(this.#tenant)))
        this.#find('genesis', 0n, 'the empty chain is not at its genesis');
    } else if (this.#sound && this.#stored?.rowHash.equals(head.rowHash) !== true) {
      this.#find('head', sequence, 'the hash in the head is not the last row hash');
    } else if (head.receivedUs !== this.#stored?.receivedUs) {
      this.#find('head', sequence, 'the time in the head is not that of the last row');
    }
  }

  /** What was proved since becomes the place from which to judge. */
  #adopt(): void {
    const place = this.#quick.place;
    if (place === undefined || BigInt(place.sequence) <= this.#last) return;
    this.#last = BigInt(place.sequence);
    this.#previous = [place.rowHash];
    this.#received = BigInt(place.received) * 1000n;
    this.#stored = { rowHash: place.rowHash, receivedUs: this.#received };
    this.#sound = true;
  }

  #next(): bigint {
    const { from } = this.#options;
    return this.#last + 1n < from ? from : this.#last + 1n;
  }

  #judge(row: EventRow): Envelope | undefined {
    const { sequence } = row;
    if (sequence <= this.#last) {
      this.#find('order', sequence, 'the sequence is there more than once');
      return undefined;
    }
    if (sequence > this.#last + 1n) {
      this.#find('gap', this.#next(), 'rows are missing', sequence - 1n);
      this.#previous = [];
    }
    this.#last = sequence;
    const envelope = this.#text(row);
    this.#hash(row);
    this.#time(row);
    this.#stored = row;
    return envelope;
  }

  #text(row: EventRow): Envelope | undefined {
    const { sequence, event } = row;
    let envelope: Envelope;
    try {
      envelope = JSON.parse(event) as Envelope;
    } catch {
      this.#find('canonical', sequence, 'the text is not JSON');
      return undefined;
    }
    if (this.#options.canonical && !isCanonical(event, envelope))
      this.#find('canonical', sequence, 'the text is not in canonical form');
    if (envelope.tenantId !== this.#tenant) this.#find('tenant', sequence, 'the text names another tenant');
    const differing = differingCopies(row, envelope);
    if (differing.length > 0) this.#find('copy', sequence, `${differing.join(', ')} differ from the text`);
    return envelope;
  }

  #hash({ sequence, event, eventHash: stored, rowHash: rowStored, receivedUs }: EventRow): void {
    const told = Buffer.from(eventHash(event), 'hex');
    const following = (hashed: Buffer): readonly Buffer[] =>
      this.#previous.map((previous) => rowHash(previous, sequence, BigInt.asUintN(64, receivedUs / 1000n), hashed));
    const follows = (hashed: Buffer): boolean =>
      hashed.length === 32 && following(hashed).some((one) => one.equals(rowStored));
    const usable = rowStored.length === 32 ? [rowStored] : [];
    const wasSound = this.#sound;
    this.#sound = true;
    if (follows(told)) {
      if (!told.equals(stored)) this.#find('copy', sequence, 'event_hash differs from the text');
      this.#previous = usable;
    } else if (this.#previous.length === 0 || follows(stored)) {
      if (!told.equals(stored)) this.#find('text', sequence, 'the text is not the one that was hashed');
      this.#previous = usable;
    } else {
      this.#sound = false;
      const detail = wasSound
        ? 'the row does not follow from the row before it: its text, hashes, time or sequence were changed'
        : 'the row follows from no row before it';
      this.#find('chain', sequence, detail);
      this.#previous = [...usable, ...following(told).slice(0, 1)];
    }
  }

  #time({ sequence, receivedUs }: EventRow): void {
    if (receivedUs % 1000n !== 0n) this.#find('copy', sequence, 'received_at has digits beyond milliseconds');
    if (!this.#sound) return;
    const received = receivedUs - (receivedUs % 1000n);
    if (received < this.#received) this.#find('order', sequence, 'the event was received before the one before it');
    this.#received = received;
  }

  #find(kind: SourceFinding['kind'], sequence: bigint, detail: string, through = sequence): void {
    const { from } = this.#options;
    if (from <= 1n || through >= from)
      this.#findings.add({ tenant: this.#tenant, kind, sequence: Number(sequence), through: Number(through), detail });
  }
}
