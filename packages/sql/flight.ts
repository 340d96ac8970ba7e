import { fail } from '@steward/kernel';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import type { Statement } from './statement.ts';

/** The part of pg's connection that a flight speaks to. Pinned to pg 8.23 (ADR 3). */
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
}

type Rows = readonly Record<string, unknown>[];
interface Outcome {
  rows: Rows;
}

/** Statements a connection has parsed. `unsure`: sent in a flight that failed, so perhaps there, perhaps not. */
const parsed = new WeakMap<Wire, Map<string, 'there' | 'unsure'>>();

const BaseQuery = pg.Query as unknown as new (
  config: { text: string; values: readonly unknown[] },
  values: undefined,
  callback: (error: Error | null, outcome: Outcome | Outcome[]) => void,
) => { handleError(error: Error, wire: Wire): void };

/**
 * Several prepared statements under one Sync: one round trip, one implicit transaction. A tenant's setting and the
 * statement that needs it travel together.
 */
class Flight extends BaseQuery {
  readonly #statements: readonly Statement[];
  readonly #prepared: readonly unknown[][];
  #fresh: string[] = [];

  constructor(statements: readonly Statement[], callback: (error: Error | null, outcome: Outcome | Outcome[]) => void) {
    super({ text: '', values: [] }, undefined, callback);
    this.#statements = statements;
    this.#prepared = statements.map(({ values }) => values.map(textOf));
  }

  submit(wire: Wire): null {
    const known = parsed.get(wire) ?? new Map<string, 'there' | 'unsure'>();
    parsed.set(wire, known);
    const { stream } = wire;
    const messages: Uint8Array[] = [];
    // One write of all of them: the socket takes a hundred small ones for more than the statements cost.
    wire.stream = { writable: stream.writable, write: (message) => messages.push(message) };
    try {
      this.#statements.forEach(({ name, text }, index) => {
        const own = `f${name}`;
        if (known.get(own) !== 'there') {
          if (known.get(own) === 'unsure') wire.close({ type: 'S', name: own });
          wire.parse({ name: own, text, types: [] });
          known.set(own, 'there');
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
}

/** PostgreSQL's text cannot hold NUL; whatever door a string came through, that is the caller's fault and not ours. */
function textOf(value: unknown): unknown {
  const prepared = prepareValue(value);
  if (typeof prepared === 'string' && prepared.includes('\0')) {
    throw fail('invalid_request', 'Text may not hold the NUL character.');
  }
  return prepared;
}

/** Runs the statements in one round trip; rows of each, in order. A failure of one undoes all. */
export async function fly(client: pg.ClientBase, statements: readonly Statement[]): Promise<Rows[]> {
  return new Promise((resolve, reject) => {
    const flight = new Flight(statements, (error, outcome) => {
      if (error !== null) reject(error);
      else resolve([outcome].flat().map((one) => one.rows));
    });
    client.query(flight as unknown as pg.Submittable);
  });
}
