import { canonical } from '../chain/canonical.ts';
import { eventHash } from '../chain/event-hash.ts';
import { genesis } from '../chain/genesis.ts';
import { rowHash } from '../chain/row-hash.ts';
import type { Envelope } from '../envelope/envelope.ts';
import { differingCopies } from './copies.ts';
import type { FindingKind, Findings } from './finding.ts';
import type { EventRow, HeadRow } from './rows.ts';

/** One tenant's chain, followed row by row. A bad row is named once; its neighbours are judged by what is stored. */
export class Walk {
  readonly #tenant: string;
  readonly #findings: Findings;
  /**
   * What the next row may follow: the row hash that is stored and, where it is not the right one, the one that should
   * be. None where that row is missing.
   */
  #previous: readonly Buffer[];
  #last = 0n;
  #stored: Pick<EventRow, 'row_hash' | 'received_us'> | undefined;
  /** Of the last row that follows from its neighbour. */
  #received = -Infinity;
  #sound = true;

  constructor(tenant: string, findings: Findings) {
    this.#tenant = tenant;
    this.#findings = findings;
    this.#previous = [genesis(tenant)];
  }

  get last(): bigint {
    return this.#last;
  }

  /** @returns what the text says, where it can be read */
  row(row: EventRow): Envelope | undefined {
    const sequence = BigInt(row.sequence);
    if (sequence <= this.#last) {
      this.#find('order', sequence, 'the sequence is there more than once');
      return undefined;
    }
    if (sequence > this.#last + 1n) {
      this.#find('gap', this.#last + 1n, 'rows are missing', sequence - 1n);
      this.#previous = [];
    }
    this.#last = sequence;
    const envelope = this.#text(row, sequence);
    this.#hash(row, sequence);
    this.#time(row, sequence);
    this.#stored = row;
    return envelope;
  }

  end(head: HeadRow | undefined): void {
    if (head === undefined) {
      this.#find('head', this.#last, 'the chain has rows and no head');
      return;
    }
    const sequence = BigInt(head.sequence);
    if (sequence > this.#last) {
      this.#find('tail', this.#last + 1n, `the head stands at ${sequence}, the rows end before`, sequence);
    } else if (sequence < this.#last) {
      this.#find('head', sequence + 1n, `the head stands at ${sequence}, rows go on behind it`, this.#last);
    } else if (sequence === 0n) {
      if (!head.row_hash.equals(genesis(this.#tenant)))
        this.#find('genesis', 0n, 'the empty chain is not at its genesis');
    } else if (this.#sound && this.#stored?.row_hash.equals(head.row_hash) !== true) {
      this.#find('head', sequence, 'the hash in the head is not the last row hash');
    } else if (head.received_us !== this.#stored?.received_us) {
      this.#find('head', sequence, 'the time in the head is not that of the last row');
    }
  }

  #text(row: EventRow, sequence: bigint): Envelope | undefined {
    let envelope: Envelope;
    try {
      envelope = JSON.parse(row.event) as Envelope;
      if (canonical(envelope) !== row.event) this.#find('canonical', sequence, 'the text is not in canonical form');
    } catch {
      this.#find('canonical', sequence, 'the text is not JSON');
      return undefined;
    }
    if (envelope.tenantId !== this.#tenant) this.#find('tenant', sequence, 'the text names another tenant');
    const differing = differingCopies(row, envelope);
    if (differing.length > 0) this.#find('copy', sequence, `${differing.join(', ')} differ from the text`);
    return envelope;
  }

  #hash(row: EventRow, sequence: bigint): void {
    const told = Buffer.from(eventHash(row.event), 'hex');
    const receivedMs = BigInt(row.received_us) / 1000n;
    const following = (event: Buffer): readonly Buffer[] =>
      this.#previous.map((previous) => rowHash(previous, sequence, receivedMs, event));
    const follows = (event: Buffer): boolean => following(event).some((hash) => hash.equals(row.row_hash));
    const wasSound = this.#sound;
    this.#sound = true;
    if (follows(told)) {
      if (!told.equals(row.event_hash)) this.#find('copy', sequence, 'event_hash differs from the text');
      this.#previous = [row.row_hash];
    } else if (this.#previous.length === 0 || follows(row.event_hash)) {
      if (!told.equals(row.event_hash)) this.#find('text', sequence, 'the text is not the one that was hashed');
      this.#previous = [row.row_hash];
    } else {
      this.#sound = false;
      const detail = wasSound
        ? 'the row does not follow from the row before it: its text, hashes, time or sequence were changed'
        : 'the row follows from no row before it';
      this.#find('chain', sequence, detail);
      this.#previous = [row.row_hash, ...following(told).slice(0, 1)];
    }
  }

  #time(row: EventRow, sequence: bigint): void {
    const received = Number(row.received_us);
    if (received % 1000 !== 0) this.#find('copy', sequence, 'received_at has digits beyond milliseconds');
    if (!this.#sound) return;
    if (received < this.#received) this.#find('order', sequence, 'the event was received before the one before it');
    this.#received = received;
  }

  #find(kind: FindingKind, sequence: bigint, detail: string, through = sequence): void {
    this.#findings.add(this.#tenant, kind, sequence, detail, through);
  }
}
