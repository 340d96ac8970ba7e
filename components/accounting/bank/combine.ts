/** An entry that moves the account by some of what a line does. */
export interface Part {
  readonly open: bigint;
  readonly date: string;
}

/** Beyond so many the nearest are combined. */
const most = 60;

/**
 * The fewest entries that make up an amount together: two, else three, else all of one day, such as the takings that a bank
 * credits in one sum. The first found wins, so the nearest come first.
 */
export function combine<T extends Part>(parts: readonly T[], amount: bigint): readonly T[] | undefined {
  const near = parts.filter(({ open }) => open !== 0n && open > 0n === amount > 0n && open !== amount).slice(0, most);
  for (const [index, first] of near.entries()) {
    const second = near.slice(index + 1).find(({ open }) => first.open + open === amount);
    if (second !== undefined) return [first, second];
  }
  for (const [index, first] of near.entries())
    for (const [next, second] of near.slice(index + 1).entries()) {
      const third = near.slice(index + next + 2).find(({ open }) => first.open + second.open + open === amount);
      if (third !== undefined) return [first, second, third];
    }
  return [...Map.groupBy(parts, ({ date }) => date).values()].find(
    (day) => day.length > 3 && day.length <= 50 && day.reduce((sum, { open }) => sum + open, 0n) === amount,
  );
}
