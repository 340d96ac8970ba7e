import { readKeyNote } from '../archive/key-note.ts';
import type { Archive } from './archive.ts';

/** An object of the archive that is small; undefined where it is not there. */
export async function readSmall(archive: Archive, path: string): Promise<Buffer | undefined> {
  const chunks = await archive.read(path);
  if (chunks === undefined) return undefined;
  const parts: Buffer[] = [];
  // A reader may use a chunk's bytes again.
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

/** All keys that the archive's notes lead to from those that are given, forwards and backwards. */
export async function keysFrom(archive: Archive, given: readonly string[]): Promise<string[]> {
  const links: (readonly [string, string])[] = [];
  for await (const path of archive.list('platform/keys/')) {
    const { key, previous } = await readLink(archive, path);
    if (key !== undefined && previous !== undefined) links.push([key, previous]);
  }
  const trusted = new Set(given);
  for (let size = -1; size !== trusted.size;) {
    size = trusted.size;
    for (const [key, previous] of links) if (trusted.has(key) || trusted.has(previous)) trusted.add(key).add(previous);
  }
  return [...trusted];
}

/** A broken note leads nowhere; the archive's own verifier names it. */
async function readLink(archive: Archive, path: string): Promise<{ key?: string; previous?: string }> {
  try {
    return readKeyNote((await readSmall(archive, path))?.toString() ?? '');
  } catch {
    return {};
  }
}
