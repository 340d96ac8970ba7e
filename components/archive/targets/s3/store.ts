import { PutObjectRetentionCommand } from '@aws-sdk/client-s3';
import { setTimeout } from 'node:timers/promises';
import { ArchiveConflict, type Source } from '../target.ts';
import { bytesOf, digestOf, digestOfStream } from '../source.ts';
import type { Bucket } from './bucket.ts';
import { isPassing, statusOf } from './faults.ts';
import { get } from './get.ts';
import { upload, type Lock } from './upload.ts';
import { oldestOf } from './versions.ts';

const day = 24 * 60 * 60 * 1000;

export interface Terms {
  /** Days from when a version is stored; undefined where the bucket cannot lock. */
  readonly retentionDays: number | undefined;
  /** Whether a store under a name that is taken is refused. Where it is not, the name is looked up first. */
  readonly conditional: boolean;
}

/**
 * Stores the bytes as a version of their own and compares the stored ones. If it is not known whether a store took place,
 * it lists the versions first, so that a lost answer does not store twice.
 * @returns the id of the oldest version
 * @throws ArchiveConflict when that version holds other bytes
 */
export async function store(bucket: Bucket, path: string, source: Source, terms: Terms): Promise<string> {
  // The whole is repeated here; its looking up and reading back need no repeating of their own.
  const once = { ...bucket, reader: bucket.writer };
  const expected = { bytes: await bytesOf(source), sha256: await digestOf(source) };
  let lookUp = !terms.conditional;
  return await patiently(bucket, async () => {
    let id = lookUp ? (await oldestOf(once, path))?.id : undefined;
    lookUp = true;
    if (id === undefined) {
      const own = await uploadUnlessTaken(bucket, path, source, lockOf(terms, Date.now()));
      id = (await oldestOf(once, path))?.id ?? own;
    }
    // Taken, and yet not there: it is being removed under us.
    if (id === undefined)
      throw Object.assign(new Error(`${path} appears and disappears.`), { code: 'OperationAborted' });
    await compare(once, path, id, expected, terms);
    return id;
  });
}

/** @returns undefined where the server honours the condition and has a version */
async function uploadUnlessTaken(
  bucket: Bucket,
  path: string,
  source: Source,
  lock: Lock,
): Promise<string | undefined> {
  try {
    return await upload(bucket, path, source, lock);
  } catch (error) {
    if (statusOf(error) === 412) return undefined;
    throw error;
  }
}

async function compare(
  bucket: Bucket,
  path: string,
  id: string,
  expected: { readonly bytes: number; readonly sha256: string },
  terms: Terms,
): Promise<void> {
  const stored = await get(bucket, path, id, expected.bytes);
  if (stored === undefined) throw new ArchiveConflict(path, `version ${id} was stored and is gone`);
  if ((await digestOfStream(stored.bytes)) !== expected.sha256) {
    throw new ArchiveConflict(path, `version ${id} is not what was to be stored, ${expected.bytes} bytes`);
  }
  const lock = lockOf(terms, stored.modified);
  // A copy by other means, or one that somebody put there first, may lack the lock. A day is left for clocks that differ.
  if (lock !== undefined && (stored.lockedUntil ?? 0) < lock.until.getTime() - day) {
    await bucket.reader.send(
      new PutObjectRetentionCommand({
        Bucket: bucket.name,
        Key: bucket.prefix + path,
        VersionId: id,
        Retention: { Mode: 'COMPLIANCE', RetainUntilDate: lock.until },
      }),
    );
  }
}

const lockOf = ({ retentionDays }: Terms, from: number): Lock =>
  retentionDays === undefined ? undefined : { until: new Date(from + retentionDays * day) };

/** Again after faults that pass, with a pause that grows, as often as the bucket's limits say. */
async function patiently<T>({ limits }: Bucket, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1, pause = limits.pause; ; attempt += 1, pause *= 4) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= limits.attempts || !isPassing(error)) throw error;
      await setTimeout(pause * (0.5 + Math.random()));
    }
  }
}
