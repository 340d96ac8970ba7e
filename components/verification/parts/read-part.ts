import type pg from 'pg';
import { copyOut, type CopyOut, readInt64 } from '@steward/sql';
import { BlockDigests, type Blocks, compareBlocks } from '../rows/principal-blocks.ts';
import type { OwnDays, Unrecorded } from '../days/compare-days.ts';
import type { Connections } from './connections.ts';
import { DayDigests } from '../days/day-digests.ts';
import { type Finding, Findings } from '../log/finding.ts';
import { Keys, keysQuery } from '../rows/idempotency-keys.ts';
import { type Part, sequencesOf, tenantsOf } from './part.ts';
import { at, eventColumns, RawTenant, uuidAt } from '../rows/tuple.ts';
import { type Head, Walk } from '../rows/walk.ts';

export interface PartResult {
  readonly tenants: number;
  readonly events: number;
  /** Sealed days that were compared. */
  readonly days: number;
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  readonly truncated: boolean;
  readonly unrecorded: readonly Unrecorded[];
  /** The highest that a day of these tenants is signed with. */
  readonly incarnation: number;
}

export interface PartOptions {
  readonly canonical: boolean;
  readonly onProgress?: (events: number) => void;
  readonly signal?: AbortSignal;
}

const progressEvery = 10_000;
const keysAhead = 20_000;

interface NamedHead extends Head {
  /** The tenant's 16 bytes, one a character, so that they sort as PostgreSQL sorts them. */
  readonly raw: string;
  readonly tenant: string;
}

/** Follows the chains of a part as their rows come in; at most a few thousand rows are held, and a digest a day. */
export async function readPart(connections: Connections, part: Part, options: PartOptions): Promise<PartResult> {
  const { against } = connections;
  const days = against === undefined ? undefined : new DayDigests();
  const reading = new Reading(part, await readHeads(connections.events, part), options, days);
  await reading.run(connections);
  const { findings, tenants, events } = reading;
  await compareBlocks(connections.events, part, reading.blocks, findings);
  const compared =
    against === undefined
      ? undefined
      : await (
          await import('../days/compare-part.ts')
        ).comparePart(connections.events, part, reading.own, against, findings);
  return {
    tenants,
    events,
    days: compared?.days ?? 0,
    findings: [...findings.list, ...(compared?.archive ?? []), ...(against?.archive.takeFound() ?? [])],
    notes: compared?.notes ?? [],
    unrecorded: compared?.unrecorded ?? [],
    incarnation: compared?.incarnation ?? 1,
    truncated: findings.truncated,
  };
}

class Reading {
  readonly #part: Part;
  readonly #heads: readonly NamedHead[];
  readonly #options: PartOptions;
  readonly findings = new Findings();
  /** By tenant, where days are to be compared. */
  readonly own = new Map<string, OwnDays>();
  /** By tenant. */
  readonly blocks = new Map<string, Blocks>();
  readonly #principals = new BlockDigests();
  tenants = 0;
  events = 0;
  readonly #keys = new Keys(this.findings);
  readonly #days: DayDigests | undefined;
  /** Events that came before the keys they are to be compared with. */
  readonly #waiting: Buffer[] = [];
  readonly #rawTenant = new RawTenant();
  #streams: { readonly events: CopyOut; readonly keys: CopyOut } | undefined;
  #keysPaused = false;
  #head = 0;
  #raw = '';
  #tenant = '';
  #walk: Walk | undefined;

  constructor(part: Part, heads: readonly NamedHead[], options: PartOptions, days: DayDigests | undefined) {
    this.#part = part;
    this.#heads = heads;
    this.#options = options;
    this.#days = days;
  }

  async run({ events, keys }: Pick<Connections, 'events' | 'keys'>): Promise<void> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const where = tenantsOf(this.#part);
    const streams = {
      events: copyOut(
        events,
        `select ${eventColumns} from audit.event where ${where} and ${sequencesOf(this.#part, 2)} order by tenant_id, sequence`,
        (row) => this.#take(row),
      ),
      keys: copyOut(keys, keysQuery(`${where} and ${sequencesOf(this.#part)}`), (row) => this.#takeKey(row)),
    };
    this.#streams = streams;
    const cancel = (): void => {
      streams.events.cancel(signal?.reason);
      streams.keys.cancel(signal?.reason);
    };
    signal?.addEventListener('abort', cancel);
    try {
      await Promise.all([streams.events.over, this.#untilKeysAreOver(streams.keys)]);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    this.#close();
    this.#visit('\u0100');
  }

  async #untilKeysAreOver(keys: CopyOut): Promise<void> {
    await keys.over;
    this.#keys.close();
    this.#drain();
  }

  #take(row: Buffer): void {
    if (this.#waiting.length === 0 && this.#keys.reaches(this.#rawTenant.of(row), readInt64(row, at.sequence))) {
      this.#event(row);
    } else {
      this.#waiting.push(Buffer.from(row));
      this.#streams?.events.pause();
    }
  }

  #takeKey(row: Buffer): void {
    this.#keys.push(row);
    if (this.#waiting.length > 0) {
      this.#drain();
    } else if (!this.#keysPaused && this.#keys.ahead > keysAhead) {
      this.#keysPaused = true;
      this.#streams?.keys.pause();
    }
  }

  #drain(): void {
    let taken = 0;
    for (const row of this.#waiting) {
      if (!this.#keys.reaches(this.#rawTenant.of(row), readInt64(row, at.sequence))) break;
      this.#event(row);
      taken += 1;
    }
    this.#waiting.splice(0, taken);
    if (this.#waiting.length === 0) this.#streams?.events.resume();
  }

  #event(row: Buffer): void {
    const raw = this.#rawTenant.of(row);
    if (raw !== this.#raw || this.#walk === undefined) {
      this.#close();
      this.#visit(raw);
      this.#raw = raw;
      this.#tenant = uuidAt(row, at.tenant);
      this.#walk = this.#walkOf(this.#tenant);
      this.#days?.begin(this.#tenant);
      this.#principals.begin();
    }
    const sequence = readInt64(row, at.sequence);
    const key = this.#walk.row(row);
    this.#days?.row(row);
    this.#principals.row(sequence, this.#walk.principals);
    if ('tenant' in this.#part && sequence < this.#part.from) return;
    this.#keys.compare(raw, this.#tenant, sequence, key);
    this.events += 1;
    if (this.events % progressEvery === 0) this.#options.onProgress?.(progressEvery);
    if (this.#keysPaused && this.#keys.ahead < keysAhead / 2) {
      this.#keysPaused = false;
      this.#streams?.keys.resume();
    }
  }

  #walkOf(tenant: string): Walk {
    const from = 'tenant' in this.#part ? BigInt(this.#part.from) : 1n;
    return new Walk(tenant, this.findings, { from, canonical: this.#options.canonical });
  }

  /** The rows of the present tenant are over. */
  #close(): void {
    if (this.#walk === undefined) return;
    const head = this.#heads[this.#head];
    const own = head?.raw === this.#raw ? head : undefined;
    if (own !== undefined) this.#head += 1;
    this.#end(this.#walk, this.#raw, this.#tenant, own);
    const blocks = this.#principals.end(Number(this.#walk.last));
    if (blocks.size > 0) this.blocks.set(this.#tenant, blocks);
    if (this.#days !== undefined)
      this.own.set(this.#tenant, { tenant: this.#tenant, days: this.#days.end(), last: Number(this.#walk.last) });
    this.#walk = undefined;
  }

  /** Tenants before this one that have a head or keys and no rows. */
  #visit(before: string): void {
    for (;;) {
      const head = this.#heads[this.#head];
      const key = this.#keys.next;
      const raw = key === undefined || (head !== undefined && head.raw <= key) ? head?.raw : key;
      if (raw === undefined || raw >= before) return;
      const own = head?.raw === raw ? head : undefined;
      if (own !== undefined) this.#head += 1;
      const tenant = uuidAt(Buffer.from(raw, 'latin1'), 0);
      this.#end(this.#walkOf(tenant), raw, tenant, own);
      if (this.#days !== undefined) this.own.set(tenant, { tenant, days: [], last: 0 });
    }
  }

  #end(walk: Walk, raw: string, tenant: string, head: Head | undefined): void {
    const part = this.#part;
    if ('tenant' in part && part.to !== undefined) walk.hand(BigInt(part.to));
    else walk.end(head);
    this.#keys.leave(raw, tenant, head?.sequence ?? walk.last);
    if (!('tenant' in part) || part.from <= 1) this.tenants += 1;
  }
}

async function readHeads(client: pg.Client, part: Part): Promise<NamedHead[]> {
  const { rows } = await client.query<{
    tenant: string;
    sequence: string;
    row_hash: Buffer;
    received_us: string | null;
  }>(
    `select tenant_id as tenant, sequence, row_hash,
       case when isfinite(received_at) then (extract(epoch from received_at) * 1000000)::bigint end as received_us
     from audit.head where ${tenantsOf(part)} order by tenant_id`,
  );
  return rows.map(({ tenant, sequence, row_hash: rowHash, received_us: received }) => ({
    raw: Buffer.from(tenant.replaceAll('-', ''), 'hex').toString('latin1'),
    tenant,
    sequence: BigInt(sequence),
    rowHash,
    receivedUs: received === null ? undefined : BigInt(received),
  }));
}
