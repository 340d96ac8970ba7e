/** The same titles, of which the second one that is alike has a number: what is offered side by side must be told apart. */
export function apart(titles: readonly string[]): string[] {
  const told = new Set<string>();
  const times = new Map<string, number>();
  return titles.map((title) => {
    let number = (times.get(title) ?? 0) + 1;
    let own = number === 1 ? title : `${title} (${number})`;
    while (told.has(own)) own = `${title} (${(number += 1)})`;
    times.set(title, number);
    told.add(own);
    return own;
  });
}
