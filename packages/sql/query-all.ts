import { fail } from '@steward/kernel';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { drop } from './connection/drop.ts';
import type { Statement } from './statement.ts';
import { Unconfirmed } from './translate.ts';

/** The part of pg's connection that a batch of statements speaks to. Pinned to pg 8.23 (ADR 3). */
interface Wire {
  stream: { readonly writable: boolean; write(message: Uint8Array): unknown };
  parse(query: { name: string; text: string; types: readonly number[] }): void;
  bind(config: {
    portal: string;
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  describe(target: { type: 'P'; name: string }): void;
  execute(config: { portal: string; rows: number }): void;
  close(target: { type: 'S'; name: string }): void;
  sync(): void;
  on(event: 'notice', heard: (notice: { readonly routine?: string }) => void): void;
}

type Rows = Record<string, unknown>[];

/** How rows of a statement are read. */
interface Reading {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/** A statement that a connection has parsed. */
interface Parsed {
  /** Sent in a batch of statements that failed: perhaps there, perhaps not. */
  unsure: boolean;
  /** Undefined until it was described. What a prepared statement answers never changes: PostgreSQL refuses it where it would. */
  reading: Reading | undefined;
}

/** Statements a connection has parsed, the one used longest ago first once there are many. */
const parsed = new WeakMap<Wire, Map<string, Parsed>>();

/**
 * Statements a connection keeps. Each costs its backend 5 to 300 kB, and text that is composed, such as of filters, knows
 * thousands of forms; all that a busy process sends again and again are fewer.
 */
export const mostPrepared = 200;

type Done = (error: Error | null, rows: Rows[]) => void;

const BaseQuery = pg.Query as unknown as new (
  config: { text: string; values: readonly unknown[] },
  values: undefined,
  callback: Done,
) => object;

/** Connections whose server has just said that it gave up waiting for a standby: it answers the commit with success all the same. */
const unconfirmed = new WeakSet<Wire>();

/** What a connection has parsed; nothing of a new one, whose notices are listened to from now on. */
function parsedBy(wire: Wire): Map<string, Parsed> {
  const known = parsed.get(wire);
  if (known !== undefined) return known;
  // The words of a notice are in the server's language.
  wire.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unconfirmed.add(wire);
  });
  const nothing = new Map<string, Parsed>();
  parsed.set(wire, nothing);
  return nothing;
}

const noColumns: Reading = { names: [], parsers: [] };

/**
 * Several prepared statements under one Sync: one round trip, one implicit transaction. A tenant's setting and the
 * statement that needs it travel together. What a statement answers is described once a connection: describing it costs both sides about as much as
 * a row of it.
 */
class Batch extends BaseQuery {
  readonly #statements: readonly Statement[];
  readonly #prepared: readonly unknown[][];
  readonly #parserOf: (type: number) => (text: string) => unknown;
  readonly #done: Done;
  /** Of each statement, and how it was read when it was sent. */
  #entries: readonly Parsed[] = [];
  #readings: (Reading | undefined)[] = [];
  #fresh: string[] = [];
  #answered: Rows[] = [];
  #rows: Rows = [];
  #fault: Error | undefined;

  constructor(statements: readonly Statement[], parserOf: (type: number) => (text: string) => unknown, done: Done) {
    super({ text: '', values: [] }, undefined, done);
    this.#statements = statements;
    this.#prepared = statements.map(({ values }) => values.map(textOf));
    this.#parserOf = parserOf;
    this.#done = done;
  }

  submit(wire: Wire): null {
    const known = parsedBy(wire);
    const { stream } = wire;
    const messages: Uint8Array[] = [];
    // One write of all of them: the socket takes a hundred small ones for more than the statements cost.
    wire.stream = { writable: stream.writable, write: (message) => messages.push(message) };
    try {
      const before = this.#statements.map(({ name }) => touch(known, `f${name}`));
      // First of all messages: what follows a failure is not carried out.
      closeOldest(wire, known, this.#statements.length);
      this.#statements.forEach(({ name, text }, index) => {
        const own = `f${name}`;
        const one = before[index] as Touched;
        if (one.parse) {
          if (one.close) wire.close({ type: 'S', name: own });
          wire.parse({ name: own, text, types: [] });
          this.#fresh.push(own);
        }
        wire.bind({ portal: '', statement: own, values: this.#prepared[index] ?? [], valueMapper: (value) => value });
        if (one.entry.reading === undefined) wire.describe({ type: 'P', name: '' });
        wire.execute({ portal: '', rows: 0 });
      });
      this.#entries = before.map(({ entry }) => entry);
      this.#readings = this.#entries.map(({ reading }) => reading);
      wire.sync();
    } finally {
      wire.stream = stream;
      if (messages.length > 0) stream.write(Buffer.concat(messages));
    }
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#readings[this.#answered.length] = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this.#parserOf(dataTypeID)),
    };
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#fault !== undefined) return;
    const { names, parsers } = this.#readings[this.#answered.length] ?? noColumns;
    if (names.length !== fields.length) {
      this.#fault = new Error('PostgreSQL answered with other columns than it had described');
      return;
    }
    try {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at += 1) {
        const text = fields[at] as string | null;
        row[names[at] as string] = text === null ? null : parsers[at]?.(text);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#fault = error as Error;
    }
  }

  handleCommandComplete(): void {
    const at = this.#answered.length;
    const entry = this.#entries[at];
    // It was described, as having no columns, where nothing was said of any.
    if (entry !== undefined) entry.reading ??= this.#readings[at] ?? noColumns;
    this.#answered.push(this.#rows);
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleError(error: Error, wire: Wire): void {
    const known = parsed.get(wire);
    for (const name of this.#fresh) {
      const one = known?.get(name);
      if (one !== undefined) one.unsure = true;
    }
    this.#done(this.#fault ?? error, []);
  }

  handleReadyForQuery(wire: Wire): void {
    if (unconfirmed.delete(wire)) this.#done(new Unconfirmed(), []);
    else this.#done(this.#fault ?? null, this.#answered);
  }
}

interface Touched {
  readonly entry: Parsed;
  readonly parse: boolean;
  /** It may be there already. */
  readonly close: boolean;
}

/** What is to be done for a statement, which from now on is there and used last. */
function touch(known: Map<string, Parsed>, name: string): Touched {
  const before = known.get(name);
  if (before?.unsure === false) {
    // Their order matters only once some of them must go soon. Deleting makes the map copy itself again and again.
    if (known.size >= mostPrepared / 2) {
      known.delete(name);
      known.set(name, before);
    }
    return { entry: before, parse: false, close: false };
  }
  const entry: Parsed = { unsure: false, reading: undefined };
  known.delete(name);
  known.set(name, entry);
  return { entry, parse: true, close: before !== undefined };
}

/** @param kept how many of those used last may not be closed */
function closeOldest(wire: Wire, known: Map<string, Parsed>, kept: number): void {
  let surplus = known.size - Math.max(mostPrepared, kept);
  for (const name of known.keys()) {
    if (surplus <= 0) return;
    surplus -= 1;
    known.delete(name);
    wire.close({ type: 'S', name });
  }
}

/** PostgreSQL's text cannot hold NUL; whatever door a string came through, that is the caller's fault and not ours. */
function textOf(value: unknown): unknown {
  const prepared = prepareValue(value);
  if (typeof prepared === 'string' && prepared.includes('\0')) {
    throw fail('invalid_request', 'Text may not hold the NUL character.');
  }
  return prepared;
}

/** What is read and set of pg's client. Pinned to pg 8.23 (ADR 3). */
interface Timed {
  readonly connectionParameters: { query_timeout: number | false };
}

/** Runs the statements in one round trip; rows of each, in order. A failure of one undoes all. */
export async function queryAll(client: pg.ClientBase, statements: readonly Statement[]): Promise<Rows[]> {
  const { connectionParameters } = client as unknown as Timed;
  const patience = connectionParameters.query_timeout;
  const { promise, resolve, reject } = Promise.withResolvers<Rows[]>();
  const parserOf = (type: number) => client.getTypeParser(type, 'text') as (text: string) => unknown;
  const batch = new Batch(statements, parserOf, (error, rows) => {
    if (error === null) resolve(rows);
    else reject(error);
  });
  // pg's own timer holds the batch and its rows until the collector's next full round, 2 kB a call: this one holds neither.
  connectionParameters.query_timeout = 0;
  try {
    client.query(batch as unknown as pg.Submittable);
  } finally {
    connectionParameters.query_timeout = patience;
  }
  if (patience === false || patience === 0) return promise;
  const timer = setTimeout(giveUp, patience, client, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Nothing came in time: whatever were sent next would wait as long again. */
function giveUp(client: pg.ClientBase, reject: (error: Error) => void): void {
  drop(client);
  reject(new Error('Query read timeout'));
}
