import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  PutObjectCommand,
  PutObjectRetentionCommand,
  type ObjectLockRetentionMode,
} from '@aws-sdk/client-s3';
import { hash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { mostOfSmall, type Powers } from '../target.ts';
import type { Bucket } from './bucket.ts';
import { isPassing, nameOf, statusOf } from './faults.ts';
import { get } from './get.ts';
import { locking, sums, type Lock } from './upload.ts';
import { versionsBelow } from './versions.ts';

/** No path of ours begins with a dot, so probes are never listed. */
const folder = '.probe/';
/** Milliseconds: what is tried must be over before the lock is, and the leftovers are to go soon. */
const lockFor = 60_000;

/**
 * Tries on one small object what is promised of all. It stays, locked for a minute; the next probe removes it. Each version that is
 * tried is locked explicitly, since a bucket's default may be years.
 */
export async function probe(bucket: Bucket): Promise<Powers> {
  const path = folder + randomUUID();
  const place = { Bucket: bucket.name, Key: bucket.prefix + path };
  const put = async (body: string, lock: Lock, wrong: object = {}): Promise<string> => {
    const Body = Buffer.from(body);
    const command = new PutObjectCommand({ ...place, Body, ...sums(Body), ...locking(lock), ...wrong });
    return (await bucket.reader.send(command)).VersionId ?? 'null';
  };
  await removeLeftovers(bucket);
  const { Status } = await bucket.reader.send(new GetBucketVersioningCommand({ Bucket: bucket.name }));
  const until = new Date(Date.now() + lockFor);
  const locked = await unlessUnknown(() => put('first', { until }));
  const lock = locked === undefined ? undefined : { until };
  const VersionId = locked ?? (await put('first', undefined));
  const retain = (Mode: ObjectLockRetentionMode, milliseconds: number) => (bypass: object) => {
    const Retention = { Mode, RetainUntilDate: new Date(until.getTime() + milliseconds) };
    return bucket.reader.send(new PutObjectRetentionCommand({ ...place, VersionId, Retention, ...bypass }));
  };
  const remove = (bypass: object): Promise<unknown> =>
    bucket.reader.send(new DeleteObjectCommand({ ...place, VersionId, ...bypass }));

  const tried: Record<string, boolean> = { versions: Status === 'Enabled', lock: locked !== undefined };
  if (lock !== undefined) {
    tried['lockShown'] = (await get(bucket, path, VersionId, mostOfSmall))?.lockedUntil !== undefined;
    tried['shorteningRefused'] = await isRefusedToAll(retain('COMPLIANCE', -lockFor / 2));
    tried['weakeningRefused'] = await isRefusedToAll(retain('GOVERNANCE', lockFor / 2));
  }
  tried['replacingRefused'] = await isRefused(() => put('second', lock, { IfNoneMatch: '*' }));
  const other = Buffer.from('other');
  const withSum = (wrong: object): Promise<boolean> => isRefused(() => put('third', lock, wrong), isWrongSum);
  tried['wrongMd5Refused'] = await withSum({ ContentMD5: hash('md5', other, 'base64') });
  tried['wrongSha256Refused'] = await withSum({ ChecksumSHA256: hash('sha256', other, 'base64') });
  tried['readBack'] = (await textOf(bucket, path, VersionId)) === 'first';
  if (lock === undefined) {
    await removeVersions(bucket, bucket.prefix + path);
  } else {
    tried['deletionRefused'] = (await isRefusedToAll(remove)) && (await textOf(bucket, path, VersionId)) === 'first';
  }
  if (lock !== undefined && Date.now() > until.getTime() - lockFor / 4) {
    throw Object.assign(new Error('The probe took longer than its lock.'), { code: 'TimeoutError' });
  }
  const writeOnce = promises.every((name) => tried[name] === true);
  return { kind: 's3', writeOnce, by: writeOnce ? 'object-lock-compliance' : 'none', tried };
}

const promises = [
  'versions',
  'lock',
  'lockShown',
  'shorteningRefused',
  'weakeningRefused',
  'deletionRefused',
  'readBack',
];

/** A refusal by the server. Any other failure, such as a damaged request, says nothing about the bucket. */
async function isRefused(attempt: () => Promise<unknown>, isNo = isPlainNo): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    if (isNo(error)) return true;
    throw error;
  }
}

/** Also to those who may bypass a weaker lock; and without asking for that, which an access key may lack the right to. */
const isRefusedToAll = async (attempt: (bypass: object) => Promise<unknown>): Promise<boolean> =>
  (await isRefused(() => attempt({}))) && (await isRefused(() => attempt({ BypassGovernanceRetention: true })));

const isPlainNo = (error: unknown): boolean =>
  statusOf(error) === 412 || ([400, 403, 405, 409].includes(statusOf(error) ?? 0) && !isPassing(error));
const isWrongSum = (error: unknown): boolean => statusOf(error) === 400;

/** Undefined if the bucket has no lock. Missing rights are reported. */
async function unlessUnknown<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (noLock.has(nameOf(error))) return undefined;
    throw error;
  }
}

const noLock = new Set([
  'InvalidRequest',
  'NotImplemented',
  'ObjectLockConfigurationNotFoundError',
  'InvalidBucketState',
]);

async function textOf(bucket: Bucket, path: string, id: string): Promise<string | undefined> {
  const stored = await get(bucket, path, id, mostOfSmall);
  return stored === undefined ? undefined : await text(stored.bytes);
}

async function removeLeftovers(bucket: Bucket): Promise<void> {
  await removeVersions(bucket, bucket.prefix + folder, Date.now() - 2 * lockFor);
}

/** What is locked, or may not be removed by this access key, stays for another time. */
async function removeVersions(bucket: Bucket, prefix: string, before = Infinity): Promise<void> {
  for await (const page of versionsBelow(bucket, prefix)) {
    for (const { key, id, modified } of page) {
      if (modified > before) continue;
      await isRefused(() =>
        bucket.reader.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key, VersionId: id })),
      );
    }
  }
}
