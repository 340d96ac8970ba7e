/** Chances that come out alike for the same seed. */
export interface Chances {
  /** From 0 up to 1. */
  next(): number;
  /** From `least` to `most`, both included. */
  whole(least: number, most: number): number;
  of<T>(among: readonly T[]): T;
  happens(share: number): boolean;
}

/** Mulberry32: 32 bits of state are enough for a picture of a business. */
export function chancesOf(seed: number): Chances {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    of: (among) => {
      const chosen = among[whole(0, among.length - 1)];
      if (chosen === undefined) throw new RangeError('there is nothing to choose from');
      return chosen;
    },
    happens: (share) => next() < share,
  };
}
