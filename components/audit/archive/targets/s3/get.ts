import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import type { Bucket } from './bucket.ts';
import { nameOf, statusOf } from './faults.ts';

export interface Stored {
  readonly bytes: AsyncIterable<Buffer>;
  /** Until when this version is locked in compliance mode, ms since 1970; undefined where it is not. */
  readonly lockedUntil: number | undefined;
  readonly modified: number;
}

/** One version of an object; undefined where there is none. */
export async function get(bucket: Bucket, path: string, id: string): Promise<Stored | undefined> {
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
  return {
    bytes: whole(answer.Body as Readable, answer.ContentLength),
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
