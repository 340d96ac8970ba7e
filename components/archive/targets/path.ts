const valid = /^(?:[a-z0-9_-][a-z0-9._-]{0,127}\/){0,15}[a-z0-9_-][a-z0-9._-]{0,127}$/i;

/** Paths are our own, and still only names that mean the same everywhere are allowed: no leading dot, no empty part. */
export function checkPath(path: string): void {
  if (!isPath(path)) throw new Error(`${JSON.stringify(path)} is no path of an archive.`);
}

/** A folder with this name is where a file belongs. */
export const isFileName = (name: string): boolean => /\.(?:jsonl|manifest\.json|checkpoint|expired|note)$/.test(name);

export const isPath = (path: string): boolean => valid.test(path);
