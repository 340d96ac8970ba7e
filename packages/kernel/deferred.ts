/** What is used by something that is made before it. */
export interface Deferred<T> {
  /** Its maker calls it, once. */
  give(value: T): void;
  /** @throws TypeError before it was given: while things are made, nothing of this is asked for */
  readonly given: T;
}

export function deferred<T>(what: string): Deferred<T> {
  let held: { readonly value: T } | undefined;
  return {
    give: (value) => {
      if (held !== undefined) throw new TypeError(`${what} was given twice`);
      held = { value };
    },
    get given() {
      if (held === undefined) throw new TypeError(`nobody has given ${what}`);
      return held.value;
    },
  };
}
