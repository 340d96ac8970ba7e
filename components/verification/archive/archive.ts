import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { ArchiveConfig } from '@steward/archive';
import { ArchiveConflict, type ArchiveTarget, openTarget } from '@steward/archive/format';
import { folderReader, Irregular, type Reader } from '../verifier/steward-audit-verify.mjs';
import { archiveFinding, type Finding } from '../log/finding.ts';

/** An archive that is only read. */
export interface Archive extends Reader, AsyncDisposable {
  /** For people; without credentials. */
  readonly address: string;
  /** What was found since the last time around the objects that were read: newer versions, delete markers. */
  takeFound(): Finding[];
  /** The version that counts; undefined where there are none. */
  version(path: string): Promise<string | undefined>;
}

/** The archive cannot be read, so nothing is known about it. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** @throws Unreachable where it is no folder, or a bucket that does not answer */
export async function openArchive(settings: ArchiveConfig): Promise<Archive> {
  const { address } = settings;
  return address.startsWith('file:') ? openFolder(address) : openBucket(settings);
}

/** Read without the target's own code, which makes folders that are missing. */
async function openFolder(address: string): Promise<Archive> {
  const folder = address.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Unreachable(`${address}: ${error.code === 'ENOENT' ? 'there is no such folder' : error.message}.`);
  });
  if (!there.isDirectory()) throw new Unreachable(`${address}: this is no folder.`);
  const { list, read } = folderReader(folder);
  return {
    folder,
    list,
    read: async (path, most) => reached(async () => read(path, most)),
    address,
    takeFound: () => [],
    version: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function openBucket(settings: ArchiveConfig): Promise<Archive> {
  const target = await openTarget(settings);
  const found: Finding[] = [];
  const judged = new Set<string>();
  const look = async (path: string): Promise<string | undefined> => {
    const history = await target.history(path);
    const counts = history.findLast(({ deleteMarker }) => !deleteMarker);
    if (history.length > 1 && !judged.has(path)) {
      judged.add(path);
      if (history.some(({ deleteMarker }) => deleteMarker))
        found.push(about('hidden', path, 'a delete marker stands on top of it'));
      for (const one of history) {
        if (one.deleteMarker || one === counts) continue;
        if (
          one.bytes !== counts?.bytes ||
          (await sum(target, path, one.bytes, one.version)) !== (await sum(target, path, one.bytes, counts.version))
        )
          found.push(
            about('superseded', path, `version ${one.version} with other bytes stands on top of ${counts?.version}`),
          );
      }
    }
    return counts?.version;
  };
  const archive: Archive = {
    address: target.address,
    takeFound: () => found.splice(0),
    list: async function* (prefix) {
      yield* target.list(prefix);
    },
    read: async (path, most) =>
      reached(async () => {
        const version = await look(path);
        return target.read(path, most, version);
      }),
    version: async (path) => reached(async () => look(path)),
    [Symbol.asyncDispose]: async () => target[Symbol.asyncDispose](),
  };
  await reached(async () => {
    for await (const _ of target.list('platform/keys/')) break;
  });
  return archive;
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Irregular) throw error;
    if (error instanceof ArchiveConflict) throw new Irregular(error.message);
    throw new Unreachable((error as Error).message, { cause: error });
  }
}

const dated = /^(?<owner>[^/]+)\/(?<year>\d{4})\/(?<month>\d\d)\/(?<date>\d\d)\./;

function about(kind: 'superseded' | 'hidden', path: string, detail: string): Finding {
  const { owner, year, month, date } = dated.exec(path)?.groups ?? {};
  const day = owner === undefined ? undefined : `${year}-${month}-${date}`;
  return archiveFinding(kind, owner ?? 'platform', `${path}: ${detail}`, day);
}

async function sum(target: ArchiveTarget, path: string, bytes: number, version: string | undefined): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const chunk of (await target.read(path, bytes, version)) ?? []) sha256.update(chunk);
  return sha256.digest('hex');
}
