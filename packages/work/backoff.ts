/** Waits between tries. Milliseconds. */
export interface Backoff {
  /** Before the second try; doubled with each, up to `longest`. */
  readonly first: number;
  readonly longest: number;
}

/** The wait after so many tries in vain: a quarter more or less, so that not all come again at once. Milliseconds. */
export const backoff = ({ first, longest }: Backoff, tries: number): number =>
  Math.min(first * 2 ** Math.min(Math.max(0, tries - 1), 30), longest) * (0.75 + Math.random() / 2);
