/** What somebody is called, by their id, which may be that of a member of every object (`constructor`). */
export const nameIn = (names: Readonly<Record<string, string>>, id: string): string | undefined =>
  Object.hasOwn(names, id) ? names[id] : undefined;
