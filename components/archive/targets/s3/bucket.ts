import { S3Client } from '@aws-sdk/client-s3';
import type { ArchiveConfig } from '../settings.ts';

/** How long the far side may take, in milliseconds, how often it is asked before a failure counts, and for how much at once. */
export interface Limits {
  readonly connect: number;
  /** Until an answer begins. */
  readonly answer: number;
  /** Without a byte in either direction. */
  readonly silence: number;
  readonly attempts: number;
  /** Before the second attempt; each later one waits four times as long. */
  readonly pause: number;
  /** Versions a page of a listing. */
  readonly page: number;
}

const usual: Limits = { connect: 5000, answer: 60_000, silence: 30_000, attempts: 4, pause: 200, page: 1000 };

export interface Bucket extends Disposable {
  /** For people; without credentials. */
  readonly address: string;
  readonly name: string;
  /** Put before each path: empty, or ends in `/`. */
  readonly prefix: string;
  readonly limits: Limits;
  /** Repeats what can be repeated without harm. */
  readonly reader: S3Client;
  /** Never repeats: whether a store whose answer was lost took place is looked up first. */
  readonly writer: S3Client;
}

/** @throws Error that says how an address is written */
export function openBucket(address: string, settings: ArchiveConfig['s3'], given: Partial<Limits> = {}): Bucket {
  const parts = /^s3:\/\/(?<name>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w/.-]*?))?\/?$/.exec(
    address,
  )?.groups;
  if (parts?.['name'] === undefined) {
    throw new Error(`${JSON.stringify(address)} is no archive: give s3://bucket/prefix (AUDIT_ARCHIVE).`);
  }
  const limits = { ...usual, ...given };
  const client = (maxAttempts: number): S3Client =>
    new S3Client({
      region: settings.region,
      ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
      ...(settings.credentials === undefined ? {} : { credentials: settings.credentials }),
      maxAttempts,
      requestHandler: {
        connectionTimeout: limits.connect,
        requestTimeout: limits.answer,
        throwOnRequestTimeout: true,
        socketTimeout: limits.silence,
      },
      // What is stored is read back and compared whole; other servers know only some of these sums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  const reader = client(limits.attempts);
  const writer = client(1);
  const prefix = parts['prefix'] ?? '';
  return {
    address,
    name: parts['name'],
    prefix: prefix === '' ? '' : `${prefix}/`,
    limits,
    reader,
    writer,
    [Symbol.dispose]: () => {
      reader.destroy();
      writer.destroy();
    },
  };
}
