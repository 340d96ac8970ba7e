import type { en } from './en.ts';

/** The same entries in every language: a text is a text, and what takes arguments takes the same ones. */
type Same<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Same<T[K]>;
};

/** Everything that the pages say; English is the type. */
export type Words = Same<typeof en>;
