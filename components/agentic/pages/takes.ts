const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`;

/** How long a way of shipping takes, for agents to tell their buyers; undefined: the shop does not say. */
export function takes({
  minDays,
  maxDays,
}: {
  readonly minDays: number | null;
  readonly maxDays: number | null;
}): string | undefined {
  if (maxDays === null) return minDays === null || minDays === 0 ? undefined : `From ${days(minDays)} on`;
  if (maxDays === 0) return 'The same day';
  if (minDays === null || minDays === 0) return `Up to ${days(maxDays)}`;
  return minDays === maxDays ? days(maxDays) : `${minDays} to ${days(maxDays)}`;
}
