import type pg from 'pg';
import { sqlState } from '../translate.ts';
import { connectFirst, type ConnectOptions } from './connect.ts';
import { drop } from './drop.ts';

/** How long a connection is kept that nobody needs, and how long any is: what moved behind an address is met then. Milliseconds. */
const idleFor = 60_000;
const livesFor = 15 * 60_000;

interface PooledConnection {
  readonly client: pg.Client;
  readonly createdAt: number;
  /** Which trouble it was made after. */
  readonly epoch: number;
  idleSince: number;
  lent: boolean;
  readonly onError: (error: Error) => void;
}

interface KeepOptions {
  /** Connections are kept, however old or idle. */
  readonly lasting: boolean;
  /** An idle one was lost. */
  readonly onError: (error: Error) => void;
}

/**
 * Connections to the server that takes writes, for whoever has a turn. A connection from before the last trouble is
 * not used again: others of its time have met a dead or demoted server.
 */
export class Connections {
  readonly #urls: readonly string[];
  readonly #options: ConnectOptions;
  readonly #keeping: KeepOptions;
  readonly #known = new WeakMap<pg.Client, PooledConnection>();
  readonly #wanted: ((kept: PooledConnection | undefined) => void)[] = [];
  readonly #sweep: NodeJS.Timeout;
  #idle: PooledConnection[] = [];
  #epoch = 0;
  #host = 0;
  #closed = false;
  #lent = 0;

  constructor(urls: readonly string[], options: ConnectOptions, keeping: KeepOptions) {
    this.#urls = urls;
    this.#options = options;
    this.#keeping = keeping;
    this.#sweep = setInterval(() => this.#tidy(), 5_000).unref();
  }

  get counts(): { readonly idle: number; readonly lent: number } {
    return { idle: this.#idle.length, lent: this.#lent };
  }

  /**
   * One that is idle, or a new one. Where the server has none left it is waited for, as long as others may be given back.
   * @throws what the connecting met
   */
  async take(milliseconds: number): Promise<pg.Client> {
    const until = performance.now() + milliseconds;
    for (;;) {
      const kept = this.#idle.pop() ?? (await this.#make(until));
      if (kept !== undefined) return this.#lend(kept);
    }
  }

  /** @param broken whether it can be used no more */
  give(client: pg.Client, broken: boolean): void {
    const kept = this.#known.get(client);
    if (kept?.lent !== true) return;
    kept.lent = false;
    this.#lent -= 1;
    if (broken || this.#closed || !this.#isGood(kept)) {
      this.#end(kept, broken);
      this.#wanted.shift()?.(undefined);
    } else {
      kept.idleSince = performance.now();
      kept.client.on('error', kept.onError);
      const next = this.#wanted.shift();
      if (next === undefined) this.#idle.push(kept);
      else next(kept);
    }
  }

  /** What was connected by the time `client` was is given up with it: at once, or when it is given back. */
  distrust(client: pg.Client): void {
    const kept = this.#known.get(client);
    if (kept?.lent !== true || kept.epoch !== this.#epoch) return;
    this.#epoch += 1;
    for (const kept of this.#idle.splice(0)) this.#end(kept, true);
  }

  /** Ends those that are idle, and from then on those that are given back. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#sweep);
    for (const kept of this.#idle.splice(0)) this.#end(kept, false);
  }

  #lend(kept: PooledConnection): pg.Client {
    kept.client.off('error', kept.onError);
    kept.lent = true;
    this.#lent += 1;
    return kept.client;
  }

  async #make(until: number): Promise<PooledConnection | undefined> {
    try {
      const epoch = this.#epoch;
      const { client, host } = await connectFirst(this.#urls, { ...this.#options, first: this.#host });
      this.#host = host;
      const now = performance.now();
      const kept: PooledConnection = {
        client,
        createdAt: now,
        idleSince: now,
        lent: false,
        epoch,
        onError: (error) => this.#lost(kept, error),
      };
      kept.client.on('error', kept.onError);
      this.#known.set(client, kept);
      return kept;
    } catch (error) {
      // 53300: the server has no connection left.
      if (sqlState(error) !== '53300' || performance.now() >= until) throw error;
      return await this.#given();
    }
  }

  /** The next that is given back, or another try after a moment. */
  async #given(): Promise<PooledConnection | undefined> {
    const { promise, resolve } = Promise.withResolvers<PooledConnection | undefined>();
    this.#wanted.push(resolve);
    const timer = setTimeout(() => {
      this.#wanted.splice(this.#wanted.indexOf(resolve), 1);
      resolve(undefined);
    }, 250);
    const kept = await promise;
    clearTimeout(timer);
    return kept;
  }

  #isGood({ epoch, createdAt }: PooledConnection): boolean {
    return epoch === this.#epoch && (this.#keeping.lasting || performance.now() - createdAt < livesFor);
  }

  #lost(kept: PooledConnection, error: Error): void {
    this.#idle = this.#idle.filter((other) => other !== kept);
    drop(kept.client);
    if (!this.#closed) this.#keeping.onError(error);
  }

  #end({ client, onError }: PooledConnection, broken: boolean): void {
    client.off('error', onError);
    if (broken) return drop(client);
    void client.end().catch(() => undefined);
    // Where nobody is at the other end, a farewell would keep the process for minutes.
    setTimeout(() => drop(client), 1_000).unref();
  }

  #tidy(): void {
    const before = performance.now() - idleFor;
    const gone = this.#idle.filter(
      (kept) => (kept.idleSince < before && !this.#keeping.lasting) || !this.#isGood(kept),
    );
    if (gone.length === 0) return;
    this.#idle = this.#idle.filter((kept) => !gone.includes(kept));
    for (const kept of gone) this.#end(kept, false);
  }
}
