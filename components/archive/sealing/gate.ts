/** Lets so many pieces of work through at a time, the others wait in order. */
export function createGate(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let within = 0;
  return async (work) => {
    if (within >= most) await new Promise<void>((enter) => waiting.push(enter));
    else within += 1;
    try {
      return await work();
    } finally {
      // The next waiting caller takes this place over.
      const next = waiting.shift();
      if (next === undefined) within -= 1;
      else next();
    }
  };
}
