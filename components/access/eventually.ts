/** A value, or a promise of one where it had to be fetched. Caches answer at once, and a promise costs a turn. */
export type Eventually<T> = T | Promise<T>;

/** Goes on with the value: at once where it is there. */
export const andThen = <A, B>(value: Eventually<A>, goOn: (value: A) => Eventually<B>): Eventually<B> =>
  value instanceof Promise ? value.then((settled: A) => goOn(settled)) : goOn(value);
