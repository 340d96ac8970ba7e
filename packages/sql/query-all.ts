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

type Rows = readonly Record<string, unknown>[];
interface Outcome {
  rows: Rows;
}

/**
 * Statements a connection has parsed, the one used longest ago first once there are many. `unsure`: sent in a batch of statements that failed, so perhaps
 * there, perhaps not.
 */
const parsed = new WeakMap<Wire, Map<string, 'there' | 'unsure'>>();

/**
 * Statements a connection keeps. Each costs its backend 5 to 300 kB, and text that is composed, such as of filters, knows
 * thousands of forms; all that a busy process sends again and again are fewer.
 */
export const mostPrepared = 200;

const BaseQuery = pg.Query as unknown as new (
  config: { text: string; values: readonly unknown[] },
  values: undefined,
  callback: (error: Error | null, outcome: Outcome | Outcome[]) => void,
) => { handleError(error: Error, wire: Wire): void; handleReadyForQuery(wire: Wire): void };

/** Connections whose server has just said that it gave up waiting for a standby: it answers the commit with success all the same. */
const unconfirmed = new WeakSet<Wire>();

/** What a connection has parsed; nothing of a new one, whose notices are listened to from now on. */
function parsedBy(wire: Wire): Map<string, 'there' | 'unsure'> {
  const known = parsed.get(wire);
  if (known !== undefined) return known;
  // The words of a notice are in the server's language.
  wire.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unconfirmed.add(wire);
  });
  const nothing = new Map<string, 'there' | 'unsure'>();
  parsed.set(wire, nothing);
  return nothing;
}

/**
 * Several prepared statements under one Sync: one round trip, one implicit transaction. A tenant's setting and the
 * statement that needs it travel together.
 */
class Batch extends BaseQuery {
  readonly #statements: readonly Statement[];
  readonly #prepared: readonly unknown[][];
  #fresh: string[] = [];

  constructor(statements: readonly Statement[], callback: (error: Error | null, outcome: Outcome | Outcome[]) => void) {
    super({ text: '', values: [] }, undefined, callback);
    this.#statements = statements;
    this.#prepared = statements.map(({ values }) => values.map(textOf));
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
        if (before[index] !== 'there') {
          if (before[index] === 'unsure') wire.close({ type: 'S', name: own });
          wire.parse({ name: own, text, types: [] });
          this.#fresh.push(own);
        }
        wire.bind({ portal: '', statement: own, values: this.#prepared[index] ?? [], valueMapper: (value) => value });
        wire.describe({ type: 'P', name: '' });
        wire.execute({ portal: '', rows: 0 });
      });
      wire.sync();
    } finally {
      wire.stream = stream;
      if (messages.length > 0) stream.write(Buffer.concat(messages));
    }
    return null;
  }

  override handleError(error: Error, wire: Wire): void {
    const known = parsed.get(wire);
    for (const name of this.#fresh) known?.set(name, 'unsure');
    super.handleError(error, wire);
  }

  override handleReadyForQuery(wire: Wire): void {
    if (unconfirmed.delete(wire)) super.handleError(new Unconfirmed(), wire);
    else super.handleReadyForQuery(wire);
  }
}

/** What was known of a statement, which from now on is there and used last. */
function touch(known: Map<string, 'there' | 'unsure'>, name: string): 'there' | 'unsure' | undefined {
  const before = known.get(name);
  // Their order matters only once some of them must go soon. Deleting makes the map copy itself again and again.
  if (before === 'there' && known.size < mostPrepared / 2) return before;
  if (before !== undefined) known.delete(name);
  known.set(name, 'there');
  return before;
}

/** @param kept how many of those used last may not be closed */
function closeOldest(wire: Wire, known: Map<string, 'there' | 'unsure'>, kept: number): void {
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
  const batch = new Batch(statements, (error, outcome) => {
    if (error === null) resolve([outcome].flat().map((one) => one.rows));
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
