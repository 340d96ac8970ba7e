import { int32, readInt64 } from '@steward/sql';
import type { Findings } from '../log/finding.ts';
import { at, RawTenant } from './tuple.ts';

/**
 * The keys of a part in order of tenant and sequence, some hundred a row: a message each would cost more than reading
 * them. OFFSET keeps the order, in which array_agg then takes them.
 */
export const keysQuery = (where: string): string => `select tenant_id, array_agg(sequence), array_agg(key)
  from (select tenant_id, sequence, key, sequence / 512 as block from audit.idempotency where ${where}
    order by tenant_id, block, sequence, key offset 0) sorted
  group by tenant_id, block order by tenant_id, block`;

interface StoredKey {
  /** The 16 bytes, one a character, so that they sort as PostgreSQL sorts them. */
  readonly tenant: string;
  readonly sequence: number;
  /** UTF-8, one byte a character. */
  readonly key: string;
}

/** The table of keys in order of tenant and sequence, read ahead of the events and compared with them. */
export class Keys {
  readonly #findings: Findings;
  readonly #rawTenant = new RawTenant();
  #queue: StoredKey[] = [];
  #at = 0;
  #over = false;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Takes a row of `keysQuery` as `copyOut` gives it. */
  push(row: Buffer): void {
    const tenant = this.#rawTenant.of(row);
    const text = row.toString('latin1');
    // Arrays of PostgreSQL: 20 bytes of head, which ends with its length and lower bound; elements behind their lengths.
    let sequence = at.sequence + 20;
    let key = at.sequence + int32(row, at.sequence - 4) + 28;
    for (let left = int32(row, at.sequence + 12); left > 0; left -= 1) {
      const length = int32(row, key - 4);
      this.#queue.push({ tenant, sequence: readInt64(row, sequence + 4), key: text.slice(key, key + length) });
      sequence += 12;
      key += length + 4;
    }
  }

  /** No more will come. */
  close(): void {
    this.#over = true;
  }

  /** How many are read ahead. */
  get ahead(): number {
    return this.#queue.length - this.#at;
  }

  /** The tenant of the next key. */
  get next(): string | undefined {
    return this.#queue[this.#at]?.tenant;
  }

  /** Whether every key up to this event has been read. */
  reaches(tenant: string, sequence: number): boolean {
    const last = this.#queue.at(-1);
    if (this.#over || last === undefined) return this.#over;
    return last.tenant === tenant ? last.sequence > sequence : last.tenant > tenant;
  }

  /** `told`: the key in the event's text, '' for none, undefined if the text could not be read, which is a finding already. */
  compare(raw: string, tenant: string, sequence: number, told: string | undefined): void {
    let stored: string[] | undefined;
    let matches = 0;
    for (let next = this.#queue[this.#at]; next?.tenant === raw && next.sequence <= sequence;) {
      // Below the present row there is no event: that gap has been found.
      if (next.sequence === sequence) {
        if (next.key === told && matches === 0) matches = 1;
        else (stored ??= []).push(next.key);
      }
      this.#take();
      next = this.#queue[this.#at];
    }
    if (told !== undefined && (stored !== undefined || (told !== '' && matches === 0)))
      this.#findings.add({
        tenant,
        kind: 'idempotency',
        sequence,
        detail: 'the keys stored for the event are not those of its text',
      });
  }

  /** Keys left when the rows of a tenant are over: those beyond the head show that head and tail were cut. */
  leave(raw: string, tenant: string, head: bigint): void {
    for (let next = this.#queue[this.#at]; next?.tenant === raw; next = this.#queue[this.#at]) {
      if (next.sequence > head)
        this.#findings.add({
          tenant,
          kind: 'tail',
          sequence: next.sequence,
          detail: 'a key stands for an event beyond the end of the chain',
        });
      this.#take();
    }
  }

  #take(): void {
    this.#at += 1;
    if (this.#at >= 4096 || this.#at === this.#queue.length) {
      this.#queue = this.#queue.slice(this.#at);
      this.#at = 0;
    }
  }
}
