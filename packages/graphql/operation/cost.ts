/** How many items a list can have: a number, or a variable that says it (`otherwise` where it says nothing). */
export type Size = number | { readonly variable: string; readonly otherwise: number };

/** The values a selection can answer: its own, those of its spreads, and those of its lists and objects. */
export interface Costs {
  readonly own: number;
  /** Fragments by their place in `OperationCost.fragments`. */
  readonly spreads: readonly number[];
  readonly parts: readonly { readonly size: Size; readonly costs: Costs }[];
}

export interface OperationCost {
  /** Each after those it spreads, so that one pass adds all up, however often they are spread. */
  readonly fragments: readonly Costs[];
  readonly root: Costs;
}

/** Values the operation can answer at most, given its variables. */
export function costOf({ fragments, root }: OperationCost, variables: Readonly<Record<string, unknown>>): number {
  const known: number[] = [];
  const count = (size: Size): number => {
    if (typeof size === 'number') return size;
    const given = variables[size.variable];
    return typeof given === 'number' ? Math.max(given, 0) : size.otherwise;
  };
  const add = ({ own, spreads, parts }: Costs): number => {
    let sum = own;
    for (const place of spreads) sum += known[place] ?? 0;
    for (const { size, costs } of parts) sum += count(size) * add(costs);
    return sum;
  };
  for (const fragment of fragments) known.push(add(fragment));
  return add(root);
}
