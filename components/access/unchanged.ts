const unchanged = new WeakSet<object>();

/** Marks what a verb answers where all was so already and it changed nothing. @example if (found.archived) return asItWas(found) */
export function asItWas<T extends object>(answer: T): T {
  unchanged.add(answer);
  return answer;
}

/** Whether a verb answered so. */
export const isAsItWas = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && unchanged.has(answer);
