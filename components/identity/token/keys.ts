import { fail, type Clock, type Log } from '@steward/kernel';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Refreshed in the background after this, so that a withdrawn key stops counting. */
const freshFor = 5 * 60_000;
/** Not used any longer than this without a successful refresh. */
const usableFor = 60 * 60_000;
/** Fetches at once, and how long until the next is earned: a flood of unknown `kid`s costs 12 a minute. */
const burst = 5;
const refillEvery = 5_000;

export interface KeysOptions {
  readonly issuer: string;
  readonly load: () => Promise<JSONWebKeySet>;
  readonly clock: Clock;
  readonly log: Log;
  /** The published keys are others than before. */
  readonly onChange: () => void;
}

/**
 * One issuer's keys. An unknown `kid` is looked up at the issuer at once, so that a key rotated a moment ago
 * counts; how often is bounded.
 * @throws (from the answered function) Problem `unavailable` when the issuer is out of reach; errors of `jose`
 */
export function createKeys(options: KeysOptions): JWTVerifyGetKey {
  let current: { readonly find: JWTVerifyGetKey; readonly text: string; readonly at: number } | undefined;
  let running: Promise<void> | undefined;
  let earned = burst;
  let countedAt = options.clock();

  const mayFetch = (): boolean => {
    const steps = Math.floor((options.clock() - countedAt) / refillEvery);
    if (steps > 0) {
      earned = Math.min(burst, earned + steps);
      countedAt += steps * refillEvery;
    }
    return earned > 0;
  };
  const load = async (): Promise<void> => {
    try {
      const at = options.clock();
      const keySet = await options.load();
      const text = JSON.stringify(keySet);
      const changed = current !== undefined && current.text !== text;
      current = { find: createLocalJWKSet(keySet), text, at };
      if (changed) options.onChange();
    } catch (cause) {
      options.log.warn({ issuer: options.issuer, err: cause }, 'the keys of an issuer cannot be read');
      throw unreachable(cause);
    } finally {
      running = undefined;
    }
  };
  const refresh = async (): Promise<void> => {
    if (running === undefined) {
      earned -= 1;
      running = load();
    }
    await running;
  };
  const ready = async (): Promise<void> => {
    const age = current === undefined ? Infinity : options.clock() - current.at;
    if (age < freshFor) return;
    if (age < usableFor) {
      if (mayFetch()) refresh().catch(() => undefined);
    } else if (running !== undefined || mayFetch()) await refresh();
    else throw unreachable();
  };

  return async (header, token) => {
    await ready();
    let joined = false;
    for (let asked = false; ;) {
      try {
        if (current === undefined) throw unreachable();
        return await current.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        // A fetch that was under way may have left before the key was published, so it does not count as asking.
        if (running !== undefined && !joined) joined = true;
        else if (!asked && mayFetch()) asked = true;
        else throw error;
        await refresh();
      }
    }
  };
}

const unreachable = (cause?: unknown): ReturnType<typeof fail> =>
  fail('unavailable', "The server cannot fetch the keys of the token's issuer at the moment: try again shortly.", {
    headers: { 'retry-after': '5' },
    cause,
  });
