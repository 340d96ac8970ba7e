/** One measured ratio. Both sides were measured in this run, in interleaved rounds; `ratio` is of the medians. */
export interface Row {
  readonly name: string;
  readonly ratio: number;
  /** What the product promises; absent for peers shown beside it. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number };
  /** Absolute figures, for orientation only. */
  readonly detail: string;
}

/** A bench file exports one of these as default; `run.ts` runs them one after the other. */
export interface Bench {
  readonly name: string;
  run(): Promise<Row[]>;
}

/** `npm run bench -- --brief` runs everything once and little of it: it shows that the benches work, not how fast anything is. */
export const brief = process.argv.includes('--brief');

/** How much of something a bench does: rounds, rows, requests, milliseconds. */
export const sized = (whole: number, little = 1): number => (brief ? little : whole);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Runs every contestant once a round, there and back, so that none always follows the same one; the median of each. */
export async function interleave<K extends string>(
  rounds: number,
  contestants: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number>> {
  const names = Object.keys(contestants) as K[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) measured[name].push(await contestants[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(measured[name])])) as Record<K, number>;
}
