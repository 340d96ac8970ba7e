import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Findings } from '../log/finding.ts';
import { type Part, tenantsOf } from '../parts/part.ts';

/** Rows of a block whose principals are noted together (functions/principal-blocks.sql). */
export const blockRows = 1024;

/** Digests of the principals of full blocks, by block; undefined where a row of it could not be read. */
export type Blocks = ReadonlyMap<number, string | undefined>;

/** Gathers the principals of each block as the rows of a chain come by. */
export class BlockDigests {
  #blocks = new Map<number, string | undefined>();
  #block = -1;
  /** The first row of the block came by. */
  #whole = false;
  #readable = true;
  #columns = new Set<string>();
  #last: string | undefined;

  /** A chain begins. */
  begin(): void {
    this.#blocks = new Map();
    this.#block = -1;
  }

  /** @param column the principals as COPY gives them, one byte a character; undefined where they cannot be read */
  row(sequence: number, column: string | undefined): void {
    const block = Math.floor(sequence / blockRows);
    if (block !== this.#block) {
      this.#close(block === this.#block + 1);
      this.#block = block;
      // Sequences begin at 1.
      this.#whole = sequence === Math.max(1, block * blockRows);
      this.#readable = true;
      this.#last = undefined;
      this.#columns = new Set();
    }
    if (column === this.#last) return;
    this.#last = column;
    if (column === undefined) this.#readable = false;
    else this.#columns.add(column);
  }

  /** The rows are over. @param head where the chain ends: a last block may be full */
  end(head: number): Blocks {
    this.#close((head + 1) % blockRows === 0 && Math.floor(head / blockRows) === this.#block);
    return this.#blocks;
  }

  #close(full: boolean): void {
    if (this.#block < 0 || !this.#whole || !full) return;
    const names = this.#readable ? [...this.#columns].flatMap(elementsOf) : undefined;
    this.#blocks.set(this.#block, names === undefined ? undefined : digest(names));
  }
}

const digest = (names: readonly string[]): string => hash('sha256', JSON.stringify([...new Set(names)].toSorted()));

/** Of a one-dimensional array of texts: 20 bytes of head, elements behind their lengths. */
function elementsOf(column: string): string[] {
  const bytes = Buffer.from(column, 'latin1');
  const names: string[] = [];
  let at = 20;
  for (let left = bytes.readInt32BE(0) === 1 ? bytes.readInt32BE(12) : 0; left > 0; left -= 1) {
    const length = bytes.readInt32BE(at);
    if (length >= 0) names.push(bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + Math.max(length, 0);
  }
  return names;
}

interface StoredBlock {
  readonly tenant: string;
  readonly block: number;
  readonly principals: readonly string[];
}

const page = 500;

/**
 * Compares the stored principals of blocks with those of the rows: a missing name hides events from a search. Blocks at the
 * end may not be stored yet.
 * @param own by tenant
 */
export async function compareBlocks(
  client: pg.Client,
  part: Part,
  own: ReadonlyMap<string, Blocks>,
  findings: Findings,
): Promise<void> {
  const [from, to] = 'tenant' in part ? [part.from, part.to ?? Infinity] : [0, Infinity];
  const within = (block: number): boolean =>
    (block * blockRows >= from || (block === 0 && from <= 1)) && (block + 1) * blockRows <= to;
  const tell = (tenant: string, block: number, detail: string): void =>
    findings.add({
      tenant,
      kind: 'copy',
      sequence: Math.max(1, block * blockRows),
      through: Math.max(1, (block + 1) * blockRows - 1),
      detail,
    });
  let last: { readonly tenant: string; readonly block: number } | undefined;
  await client.query(`declare blocks no scroll cursor for
    select tenant_id as tenant, block::float8 as block, principals from audit.principal_block where ${tenantsOf(part)}
    order by tenant_id, audit.principal_block.block`);
  for (;;) {
    const { rows } = await client.query<StoredBlock>(`fetch ${page} from blocks`);
    for (const { tenant, block, principals } of rows) {
      const blocks = own.get(tenant);
      const begun = last?.tenant === tenant ? last.block + 1 : 0;
      for (let missing = begun; missing < block && missing < begun + page; missing += 1)
        if (within(missing))
          tell(tenant, missing, 'the principals of the rows are not noted, and those behind them are');
      last = { tenant, block };
      if (block >= 0 && !within(block)) continue;
      if (blocks?.has(block) !== true)
        tell(tenant, block, 'principals are noted of rows that are not there, or not all');
      else if (blocks.get(block) !== undefined && blocks.get(block) !== digest(principals))
        tell(tenant, block, 'the principals that are noted of the rows are not those of the rows');
    }
    if (rows.length < page) break;
  }
  await client.query('close blocks');
}
