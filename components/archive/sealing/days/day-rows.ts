import { hash } from 'node:crypto';
import type pg from 'pg';
import { queryAll, sql, type SqlPool, copyOut, epochMs, readInt64 } from '@steward/sql';
import { isId } from '@steward/kernel';
import { rowHash } from '@steward/audit/chain';
import { dayLine } from '../../format/line.ts';
import { MerkleTree } from '../../format/merkle.ts';
import { beginOf, endOf } from '../calendar.ts';
import { SealRefused } from '../refusal.ts';
import type { Spool } from './spool.ts';

/** Rows a page: each is a transaction of its own, and the pause between two may be long. */
const page = 4_000;

/** Where a day begins in its chain. Hashes are 32 bytes. */
export interface Beginning {
  readonly tenant: string;
  readonly day: string;
  /** Of the last row before the day, 0 where there is none. */
  readonly sequence: number;
  readonly rowHash: Buffer;
}

/** The end of the chain when the day had been marked. */
export interface ChainEnd {
  readonly sequence: number;
  readonly rowHash: Buffer;
}

export interface DayRows {
  readonly lastSequence: number;
  readonly lastRowHash: Buffer;
  /** Of the row hashes, lower-case hex. */
  readonly root: string;
}

const columns = 'sequence, received_at, row_hash, event';
/** Offsets in a row of these columns: a field's bytes come behind four bytes of length. */
const at = { sequence: 6, received: 18, rowHash: 30, event: 66 };
const eventDomain = Buffer.from('audit-event/v1\n');

/**
 * Reads a day's rows in order, recomputing the chain as they go by, and writes their lines into the spool.
 * @throws SealRefused where a row does not follow from the one before, is missing, or is out of its day
 */
export async function readDay(
  pool: SqlPool,
  begin: Beginning,
  end: ChainEnd,
  spool: Spool,
  turn: () => Promise<void>,
): Promise<DayRows> {
  const walk = new DayWalk(begin);
  let written = Promise.resolve();
  while (!walk.over && walk.sequence < end.sequence) {
    const before = walk.sequence;
    await pool.withClient(async (client) => readPage(client, begin.tenant, before, walk));
    walk.check();
    if (walk.sequence === before && !walk.over) walk.refuse(before + 1, 'rows are missing');
    await written;
    // Written while the next page is read.
    written = spool.write(walk.take());
    written.catch(() => undefined);
    await turn();
  }
  await written;
  if (!walk.over && !walk.rowHash.equals(end.rowHash))
    walk.refuse(end.sequence, 'the head does not bear the hash of the last row');
  return { lastSequence: walk.sequence, lastRowHash: walk.rowHash, root: walk.root };
}

async function readPage(client: pg.Client, tenant: string, after: number, walk: DayWalk): Promise<void> {
  if (!isId(tenant)) throw new TypeError(`${tenant} is no tenant`);
  await queryAll(client, [sql`begin read only`, sql`select set_config('app.tenant_id', ${tenant}, true)`]);
  try {
    const select = `select ${columns} from audit.event where tenant_id = '${tenant}' and sequence > ${after} and sequence <= ${after + page} order by sequence`;
    await copyOut(client, select, (row) => walk.row(row)).over;
  } finally {
    await queryAll(client, [sql`rollback`]);
  }
}

/** Follows the rows of one day. Events are read as bytes: latin1 keeps each as one character, and nothing decodes them. */
class DayWalk {
  readonly #begin: Beginning;
  readonly #from: number;
  readonly #until: number;
  readonly #tree = new MerkleTree();
  #lines: string[] = [];
  #received: number;
  #scratch = Buffer.concat([eventDomain, Buffer.alloc(1 << 16)]);
  #refused: SealRefused | undefined;
  sequence: number;
  rowHash: Buffer;
  /** A row of a later day has been seen. */
  over = false;

  constructor(begin: Beginning) {
    this.#begin = begin;
    this.#from = beginOf(begin.day);
    this.#until = endOf(begin.day);
    this.#received = this.#from;
    this.sequence = begin.sequence;
    this.rowHash = begin.rowHash;
  }

  get root(): string {
    return this.#tree.root().toString('hex');
  }

  row(row: Buffer): void {
    if (this.over || this.#refused !== undefined) return;
    const sequence = readInt64(row, at.sequence);
    if (sequence !== this.sequence + 1) return this.#fault(this.sequence + 1, 'rows are missing');
    if (row.readInt32BE(at.received - 4) !== 8 || row.readInt32BE(at.rowHash - 4) !== 32)
      return this.#fault(sequence, 'its columns are not those of a row');
    const received = Math.floor(readInt64(row, at.received) / 1000) + epochMs;
    const event = row.subarray(at.event, at.event + row.readInt32BE(at.event - 4));
    const stored = row.subarray(at.rowHash, at.rowHash + 32);
    const following = rowHash(this.rowHash, BigInt(sequence), BigInt(received), this.#eventHash(event));
    if (!following.equals(stored))
      return this.#fault(sequence, 'the row does not follow from the row before it: run `steward audit verify`');
    if (received >= this.#until) {
      this.over = true;
      return undefined;
    }
    if (received < this.#received) return this.#fault(sequence, 'the row was received before the one before it');
    this.#received = received;
    this.#lines.push(dayLine(event.toString('latin1'), received, stored.toString('hex'), sequence));
    this.#tree.add(following);
    this.sequence = sequence;
    this.rowHash = following;
    return undefined;
  }

  /** The lines since the last time. */
  take(): Buffer {
    const lines = Buffer.from(this.#lines.join(''), 'latin1');
    this.#lines = [];
    return lines;
  }

  check(): void {
    if (this.#refused !== undefined) throw this.#refused;
  }

  refuse(sequence: number, detail: string): never {
    this.#fault(sequence, detail);
    throw this.#refused as SealRefused;
  }

  #fault(sequence: number, detail: string): undefined {
    this.#refused ??= new SealRefused(this.#begin.tenant, this.#begin.day, `sequence ${sequence}: ${detail}.`);
  }

  #eventHash(event: Buffer): Buffer {
    const length = eventDomain.length + event.length;
    if (this.#scratch.length < length) this.#scratch = Buffer.concat([eventDomain, Buffer.alloc(2 * event.length)]);
    event.copy(this.#scratch, eventDomain.length);
    return hash('sha256', this.#scratch.subarray(0, length), 'buffer');
  }
}
