// A session ends where it is left alone (docs/guides/console.md). A page asks by itself too, so it says which requests follow what a person did in it.

/** For how long after it a request may follow an act. Milliseconds. */
const follows = 60_000;

let last = -Infinity;

/** Hears what a person does, wherever on the page. */
export function hearActs(): void {
  for (const act of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(act, ({ isTrusted }) => (last = isTrusted ? performance.now() : last), {
      capture: true,
      passive: true,
    });
}

/** Headers of a request that leaves now. */
export const ofActs = (): Readonly<Record<string, string>> =>
  performance.now() - last < follows ? { 'x-steward-acted': '1' } : {};
