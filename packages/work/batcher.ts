import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, type Backoff } from './backoff.ts';

/** What a batch came to for one of its items: an answer, a failure that is its own, or that it goes with a later batch. */
export type Settled<O> = { readonly answer: O | Promise<O> } | { readonly failure: unknown } | 'later';

export interface BatcherOptions<I, O, S> {
  /** Commits these and answers the outcome of each, in order. If it throws, that is the outcome of all. */
  readonly commit: (batch: readonly I[], session: S) => Promise<readonly (Settled<O> | undefined)[]>;
  /**
   * What follows where a batch failed as a whole. `retry`: nothing happened, or it may be repeated; all wait and go again. `fail`: it fails
   * everybody. `split`: somebody's fault is everybody's; in ever smaller batches it fails its own caller alone.
   */
  readonly onFailure: (error: unknown, batch: readonly I[]) => 'retry' | 'fail' | 'split';
  /** Called before one is tried again after a failure: the answer for its caller if its time is over, else undefined. */
  readonly expired?: (input: I, error: unknown) => Error | undefined;
  /** The rest before batches that failed go again. */
  readonly retry?: Backoff;
  /** A run of batches, until nobody waits or one fails, shares what this opens: a connection, a turn. */
  readonly open: (run: (session: S) => Promise<void>) => Promise<void>;
  /** Batches under way at once: while one is written to disk, the next can be prepared. */
  readonly concurrency: number;
  /** Items in the next batch at most, where so many wait and so many are under way; 0: wait until a batch lands. */
  readonly size: (waiting: number, inFlight: number, batches: number) => number;
  /** What the items of a batch weigh together at most. One alone may weigh more. */
  readonly most?: number;
  readonly weightOf?: (input: I) => number;
  /** Whose it is, such as a tenant's: a batch takes one of each in turn, so that nobody waits for all that somebody else sent. */
  readonly shareOf?: (input: I) => string;
  /** Whenever nobody waits and nothing is under way any more. */
  readonly onIdle?: () => void;
}

interface Item<I, O> {
  readonly input: I;
  readonly resolve: (answer: O | Promise<O>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: callers that come during a commit share the next one, which costs nearly the same for one and
 * for many. All that come in one turn of the event loop go together; nobody waits for more to come.
 */
export function createBatcher<I, O, S = void>(options: BatcherOptions<I, O, S>): (input: I) => Promise<O> {
  const { concurrency, retry = { first: 50, longest: 1_000 } } = options;
  let waiting: Item<I, O>[] = [];
  let batches = 0;
  let inFlight = 0;
  let failures = 0;
  let running = false;
  let scheduled = false;
  let failed = false;
  /** Begins what there is room for; undefined while no run is open. */
  let pump: (() => void) | undefined;

  const soon = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      pump?.();
      if (running || waiting.length === 0) return;
      running = true;
      void run();
    });
  };
  const run = async (): Promise<void> => {
    do {
      failed = false;
      try {
        await options.open(runBatches);
      } catch (error) {
        failed = true;
        waiting.push(...goAgain(waiting.splice(0), error));
      }
      failures = failed ? failures + 1 : 0;
      if (failed && waiting.length > 0) await sleep(backoff(retry, failures));
    } while (failed && waiting.length > 0);
    running = false;
    if (waiting.length > 0) soon();
    else options.onIdle?.();
  };
  const runBatches = async (session: S): Promise<void> =>
    new Promise((resolve) => {
      pump = () => {
        for (let size = room(); size > 0; size = room()) void send(take(size), session);
        if (batches > 0) return;
        pump = undefined;
        resolve();
      };
      pump();
    });
  const room = (): number =>
    failed || batches >= concurrency || waiting.length === 0 ? 0 : options.size(waiting.length, inFlight, batches);
  const take = (size: number): Item<I, O>[] => {
    const { most: heaviest = Infinity, weightOf = () => 0, shareOf } = options;
    const inTurn = shareOf === undefined ? waiting : byTurns(waiting, ({ input }) => shareOf(input));
    const batch: Item<I, O>[] = [];
    let weight = 0;
    for (const item of inTurn) {
      weight += weightOf(item.input);
      if (batch.length === size || (batch.length > 0 && weight > heaviest)) break;
      batch.push(item);
    }
    if (shareOf === undefined) return waiting.splice(0, batch.length);
    const taken = new Set(batch);
    waiting = waiting.filter((item) => !taken.has(item));
    return batch;
  };
  const send = async (batch: readonly Item<I, O>[], session: S): Promise<void> => {
    batches += 1;
    inFlight += batch.length;
    waiting.unshift(...(await settle(batch, session)));
    batches -= 1;
    inFlight -= batch.length;
    if (waiting.length === 0) pump?.();
    else soon();
  };
  /** Answers those that go again. */
  const settle = async (batch: readonly Item<I, O>[], session: S): Promise<Item<I, O>[]> => {
    const inputs = batch.map(({ input }) => input);
    try {
      const came = await options.commit(inputs, session);
      return batch.filter((one, index) => answered(one, came[index]));
    } catch (error) {
      const next = options.onFailure(error, inputs);
      if (next === 'retry') {
        failed = true;
        return goAgain(batch, error);
      }
      if (next === 'fail' || batch.length === 1) {
        for (const { reject } of batch) reject(error);
        return [];
      }
      const middle = batch.length >> 1;
      const left = await settle(batch.slice(0, middle), session);
      return [...left, ...(await settle(batch.slice(middle), session))];
    }
  };
  /** Whether it goes again. */
  const answered = ({ resolve, reject }: Item<I, O>, came: Settled<O> | undefined): boolean => {
    if (came === 'later') return true;
    if (came === undefined) reject(new Error('a batch was answered for fewer than it had'));
    else if ('failure' in came) reject(came.failure);
    else resolve(came.answer);
    return false;
  };
  const goAgain = (batch: readonly Item<I, O>[], error: unknown): Item<I, O>[] =>
    batch.filter(({ input, reject }) => {
      const told = options.expired?.(input, error);
      if (told !== undefined) reject(told);
      return told === undefined;
    });

  return async (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      soon();
    });
}

/** The first of each share, then the second of each, in the order in which they came. */
function* byTurns<T>(all: readonly T[], shareOf: (one: T) => string): Generator<T> {
  let shares = [...Map.groupBy(all, shareOf).values()];
  for (let turn = 0; shares.length > 0; turn += 1) {
    for (const share of shares) yield share[turn] as T;
    shares = shares.filter((share) => share.length > turn + 1);
  }
}
