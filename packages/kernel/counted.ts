/** A count with its noun, as people write it: `1 line`, `2 lines`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
