import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import { hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Source } from '../target.ts';
import { bytesOf } from '../source.ts';
import type { Bucket } from './bucket.ts';

/** Bytes from which an object goes up in parts, and the least of a part: one part at a time is in memory. */
const partBytes = 8 * 1024 * 1024;
const mostParts = 10_000;
/** Milliseconds after which parts that were never put together can only be what a crash left. */
const abandonedAfter = 24 * 60 * 60 * 1000;

/** How long the new version is locked; undefined where the bucket cannot lock. */
export type Lock = { readonly until: Date } | undefined;

export const locking = (lock: Lock): { ObjectLockMode: 'COMPLIANCE'; ObjectLockRetainUntilDate: Date } | object =>
  lock === undefined ? {} : { ObjectLockMode: 'COMPLIANCE' as const, ObjectLockRetainUntilDate: lock.until };

export const sums = (body: Buffer): { ContentMD5: string; ChecksumSHA256: string } => ({
  ContentMD5: hash('md5', body, 'base64'),
  ChecksumSHA256: hash('sha256', body, 'base64'),
});

/**
 * Stores a new version, unless the server honours the condition and has one already.
 * @returns the version's id, `null` where the server names none
 */
export async function upload(bucket: Bucket, path: string, source: Source, lock: Lock): Promise<string> {
  const place = { Bucket: bucket.name, Key: bucket.prefix + path };
  const bytes = await bytesOf(source);
  if (!Buffer.isBuffer(source) && bytes > partBytes) return await uploadParts(bucket, place, source.file, bytes, lock);
  const body = Buffer.isBuffer(source) ? source : await readWhole(source.file, bytes);
  const answer = await bucket.writer.send(
    new PutObjectCommand({ ...place, Body: body, IfNoneMatch: '*', ...sums(body), ...locking(lock) }),
  );
  return answer.VersionId ?? 'null';
}

interface ObjectPlace {
  readonly Bucket: string;
  readonly Key: string;
}

async function uploadParts(
  bucket: Bucket,
  place: ObjectPlace,
  file: string,
  bytes: number,
  lock: Lock,
): Promise<string> {
  await abortAbandoned(bucket, place);
  const size = Math.max(partBytes, Math.ceil(bytes / mostParts));
  const { UploadId } = await bucket.writer.send(
    new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm: 'SHA256', ...locking(lock) }),
  );
  try {
    const parts: CompletedPart[] = [];
    const handle = await open(file, 'r');
    try {
      for (let from = 0; from < bytes; from += size) {
        const body = await readPart(handle, from, Math.min(size, bytes - from));
        const part = { PartNumber: parts.length + 1, ChecksumSHA256: sums(body).ChecksumSHA256 };
        // Sending a part twice replaces it, so the client that repeats may be asked.
        const { ETag } = await bucket.reader.send(
          new UploadPartCommand({ ...place, UploadId, ...part, Body: body, ContentMD5: sums(body).ContentMD5 }),
        );
        parts.push({ ...part, ETag });
      }
    } finally {
      await handle.close();
    }
    const answer = await bucket.writer.send(
      new CompleteMultipartUploadCommand({ ...place, UploadId, IfNoneMatch: '*', MultipartUpload: { Parts: parts } }),
    );
    return answer.VersionId ?? 'null';
  } catch (error) {
    // Report the first fault. If completing took place anyway, there is nothing left to abort.
    await bucket.reader.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function abortAbandoned(bucket: Bucket, place: ObjectPlace): Promise<void> {
  const { Uploads = [] } = await bucket.reader.send(
    new ListMultipartUploadsCommand({ Bucket: place.Bucket, Prefix: place.Key }),
  );
  for (const { Key, UploadId, Initiated } of Uploads) {
    if (Key !== place.Key || (Initiated?.getTime() ?? Infinity) > Date.now() - abandonedAfter) continue;
    await bucket.reader.send(new AbortMultipartUploadCommand({ ...place, UploadId }));
  }
}

async function readWhole(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    return await readPart(handle, 0, bytes);
  } finally {
    await handle.close();
  }
}

async function readPart(handle: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(bytes);
  for (let got = 0; got < bytes;) {
    const { bytesRead } = await handle.read(part, got, bytes - got, from + got);
    if (bytesRead === 0) throw new Error('The file to be archived became shorter while it was read.');
    got += bytesRead;
  }
  return part;
}
