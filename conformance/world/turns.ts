/**
 * Of a long list that many callers go through: a third, another one at each call, so that all of it is gone through by somebody.
 * @param whole all of it each time, as long runs do
 */
export function inTurns(whole: boolean): <T>(all: readonly T[]) => readonly T[] {
  let turn = 0;
  return (all) => {
    turn += 1;
    return whole ? all : all.filter((_one, at) => (at + turn) % 3 === 0);
  };
}
