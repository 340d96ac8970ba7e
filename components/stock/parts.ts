/** Lists of at most so many, since an event holds no longer ones. */
const mostInEvent = 200;

export function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += mostInEvent) yield all.slice(from, from + mostInEvent);
}
