import type { Log } from '@steward/kernel';
import type { SealRefused } from '../refusal.ts';

export const daily = 24 * 60 * 60 * 1000;

/** Says once a day what cannot be sealed, and why. */
export class Alarms {
  readonly #log: Log;
  readonly #said = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  raise(refused: readonly SealRefused[]): void {
    const now = performance.now();
    const owners = new Set(refused.map(({ owner }) => owner));
    for (const owner of this.#said.keys()) {
      if (!owners.has(owner)) this.#said.delete(owner);
    }
    for (const { owner, day, message } of refused) {
      if (now - (this.#said.get(owner) ?? -Infinity) < daily) continue;
      this.#said.set(owner, now);
      this.#log.error({ owner, day }, message);
    }
  }
}
