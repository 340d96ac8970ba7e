const valid = /^(?:[a-z0-9_-][a-z0-9._-]{0,127}\/){0,15}[a-z0-9_-][a-z0-9._-]{0,127}$/i;

/** Paths are our own, and are still held to names that mean the same everywhere: no dot in front, no empty part. */
export function checkPath(path: string): void {
  if (!isPath(path)) throw new Error(`${JSON.stringify(path)} is no path of an archive.`);
}

/** A folder of such a name stands where a file belongs. */
export const isFileName = (name: string): boolean => /\.(?:jsonl|manifest\.json|checkpoint|expired|note)$/.test(name);

export const isPath = (path: string): boolean => valid.test(path);
