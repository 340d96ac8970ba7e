/** A value, or a promise of one that must be fetched. Caches answer at once, and a promise costs a turn. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with the value: at once if it is there. */
export const andThen = <A, B>(value: MaybePromise<A>, goOn: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then((settled: A) => goOn(settled)) : goOn(value);
