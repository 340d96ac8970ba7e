const most = 200;
const before = 40;

/** Two texts where they begin to differ: short ones as they are, and of long ones 200 characters. */
export function differing(one: string, other: string): readonly [string, string] {
  if (one.length <= most && other.length <= most) return [one, other];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const from = Math.max(0, same - before);
  const excerpt = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + most)}${text.length > from + most ? '…' : ''}`.toWellFormed();
  return [excerpt(one), excerpt(other)];
}
