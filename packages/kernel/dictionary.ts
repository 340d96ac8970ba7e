/**
 * A table that is asked for words from outside: it holds nothing of a word that is not its own, where an object literal holds a
 * function of `constructor`. Whoever asks it needs no `Object.hasOwn`.
 */
export const dictionary = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.freeze(Object.assign(Object.create(null) as Record<string, T>, entries));
