import { readKeyNote, mostOfSmall } from '@steward/archive/format';
import { Irregular } from '../verifier/steward-audit-verify.mjs';
import type { Archive } from './archive.ts';

/**
 * An object of the archive, whole; undefined where it is not there, or cannot be what was sealed: larger than it may be, or
 * no plain file, which the archive's own verifier names.
 */
export async function readSmall(archive: Archive, path: string, most = mostOfSmall): Promise<Buffer | undefined> {
  try {
    const parts: Buffer[] = [];
    // A reader may use a chunk's bytes again.
    for await (const chunk of (await archive.read(path, most)) ?? [undefined]) {
      if (chunk === undefined) return undefined;
      parts.push(Buffer.from(chunk));
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof Irregular) return undefined;
    throw error;
  }
}

/** A key, and the one before it, which both signed that. */
export interface KeyLink {
  readonly key: string;
  readonly previous: string;
}

/** What the archive's notes say of keys. */
export async function keyLinks(archive: Archive): Promise<KeyLink[]> {
  const links: KeyLink[] = [];
  for await (const path of archive.list('platform/keys/')) {
    const { key, previous } = await readLink(archive, path);
    if (key !== undefined && previous !== undefined) links.push({ key, previous });
  }
  return links;
}

/** All keys that notes lead to from those that are given, forwards and backwards. */
export function keysFrom(links: readonly KeyLink[], given: readonly string[]): string[] {
  const trusted = new Set(given);
  for (let size = -1; size !== trusted.size;) {
    size = trusted.size;
    for (const { key, previous } of links)
      if (trusted.has(key) || trusted.has(previous)) trusted.add(key).add(previous);
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
