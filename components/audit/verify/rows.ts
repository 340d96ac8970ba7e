import type pg from 'pg';

export interface HeadRow {
  readonly tenant: string;
  readonly sequence: string;
  readonly row_hash: Buffer;
  /** Microseconds since the epoch; null in an empty chain. */
  readonly received_us: string | null;
}

export interface EventRow {
  readonly tenant: string;
  readonly sequence: string;
  readonly received_us: string;
  readonly event_hash: Buffer;
  readonly row_hash: Buffer;
  readonly id: string;
  readonly type: string;
  readonly grammar: string;
  readonly occurred_us: string;
  readonly causal_id: string | null;
  readonly correlation_id: string | null;
  readonly principals: string[];
  readonly event: string;
}

export interface KeyRow {
  readonly tenant: string;
  readonly sequence: string;
  readonly key: string;
}

export const headQuery = `select tenant_id as tenant, sequence, row_hash,
  case when isfinite(received_at) then (extract(epoch from received_at) * 1000000)::bigint end as received_us
  from audit.head where $1::uuid is null or tenant_id = $1 order by tenant_id`;

export const eventQuery = `select tenant_id as tenant, sequence, event_hash, row_hash, id, type, grammar, causal_id,
  correlation_id, principals, event, (extract(epoch from received_at) * 1000000)::bigint as received_us,
  (extract(epoch from occurred_at) * 1000000)::bigint as occurred_us
  from audit.event where $1::uuid is null or tenant_id = $1 order by tenant_id, sequence`;

export const keyQuery = `select tenant_id as tenant, sequence, key
  from audit.idempotency where $1::uuid is null or tenant_id = $1 order by tenant_id, sequence, key`;

/** Rows of a query with one row of foresight, read a page at a time: memory does not grow with the log. */
export class Rows<T extends { readonly tenant: string }> {
  readonly #client: pg.Client;
  readonly #cursor: string;
  #page: readonly T[] = [];
  #at = 0;

  private constructor(client: pg.Client, cursor: string) {
    this.#client = client;
    this.#cursor = cursor;
  }

  /** To be used in a transaction. `cursor` is a name of ours. */
  static async open<T extends { readonly tenant: string }>(
    client: pg.Client,
    cursor: string,
    query: string,
    tenant: string | undefined,
  ): Promise<Rows<T>> {
    await client.query(`declare ${cursor} no scroll cursor for ${query}`, [tenant ?? null]);
    const rows = new Rows<T>(client, cursor);
    await rows.#turn();
    return rows;
  }

  /** The next row, left where it is. */
  get next(): T | undefined {
    return this.#page[this.#at];
  }

  /** Takes the next row if it is of this tenant. */
  async take(tenant: string): Promise<T | undefined> {
    const row = this.next;
    if (row?.tenant !== tenant) return undefined;
    this.#at += 1;
    if (this.#at === this.#page.length) await this.#turn();
    return row;
  }

  async #turn(): Promise<void> {
    const { rows } = await this.#client.query<T>(`fetch 500 from ${this.#cursor}`);
    this.#page = rows;
    this.#at = 0;
  }
}
