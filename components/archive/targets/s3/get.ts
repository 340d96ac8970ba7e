import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { ArchiveConflict } from '../target.ts';
import type { Bucket } from './bucket.ts';
import { nameOf, statusOf } from './faults.ts';

export interface Stored {
  readonly bytes: AsyncIterable<Buffer>;
  /** Until when this version is locked in compliance mode, ms since 1970; undefined where it is not. */
  readonly lockedUntil: number | undefined;
  readonly modified: number;
}

/** One version of an object; undefined where there is none. @throws ArchiveConflict where it has more than `most` bytes */
export async function get(bucket: Bucket, path: string, id: string, most: number): Promise<Stored | undefined> {
  const Key = bucket.prefix + path;
  let answer: GetObjectCommandOutput;
  try {
    answer = await bucket.reader.send(new GetObjectCommand({ Bucket: bucket.name, Key, VersionId: id }));
  } catch (error) {
    if (nameOf(error) === 'NoSuchBucket') throw error;
    // A delete marker answers 405 where its own version is asked for; an id that is not one of the server's, 400.
    if ([404, 405].includes(statusOf(error) ?? 0) || nameOf(error) === 'InvalidArgument') return undefined;
    throw error;
  }
  const body = answer.Body as Readable;
  const announced = answer.ContentLength ?? Infinity;
  if (announced > most) {
    body.destroy();
    throw new ArchiveConflict(path, `version ${id} has ${announced} bytes, and at most ${most} can be right`);
  }
  return {
    bytes: whole(body, answer.ContentLength),
    lockedUntil: answer.ObjectLockMode === 'COMPLIANCE' ? answer.ObjectLockRetainUntilDate?.getTime() : undefined,
    modified: answer.LastModified?.getTime() ?? Date.now(),
  };
}

async function* whole(body: Readable, announced: number | undefined): AsyncGenerator<Buffer> {
  let got = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    got += chunk.length;
    yield chunk;
  }
  if (announced !== undefined && got !== announced) {
    throw Object.assign(new Error(`The answer ended after ${got} of ${announced} bytes.`), { code: 'TruncatedAnswer' });
  }
}
