import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { ArchiveConfig } from '../settings.ts';
import type { ArchiveTarget, Powers } from '../target.ts';
import { demandWriteOnce } from '../demand.ts';
import { checkPath, isPath } from '../path.ts';
import { openBucket, type Limits } from './bucket.ts';
import { explain } from './faults.ts';
import { get } from './get.ts';
import { probe } from './probe.ts';
import { store } from './store.ts';
import { oldestOf, versionsBelow, versionsOf } from './versions.ts';

const outward = (id: string): string | undefined => (id === 'null' ? undefined : id);

/** An archive in a bucket with Object Lock: no version can be changed or removed until its time has come, by anyone. */
export function createS3Target(settings: ArchiveConfig, limits?: Partial<Limits>): ArchiveTarget {
  const bucket = openBucket(settings.address, settings.s3, limits);
  let powers: Promise<Powers> | undefined;

  const ask = async (): Promise<Powers> => {
    const asked = (powers ??= probe(bucket));
    asked.catch(() => (powers = undefined));
    return demandWriteOnce(bucket.address, await asked, settings.accept, 'Create a bucket with Object Lock');
  };
  const explained = async <T>(what: string, path: string | undefined, work: () => Promise<T>): Promise<T> => {
    if (path !== undefined) checkPath(path);
    try {
      return await work();
    } catch (error) {
      throw explain(bucket.address, path === undefined ? what : `${what} ${path}`, error);
    }
  };

  return {
    address: bucket.address,
    probe: () => explained('Probing', undefined, ask),
    put: (path, source) =>
      explained('Storing', path, async () => {
        const { tried } = await ask();
        const retentionDays = tried['lock'] === true ? settings.retentionDays : undefined;
        const conditional = tried['replacingRefused'] === true;
        return outward(await store(bucket, path, source, { retentionDays, conditional }));
      }),
    read: (path, most, version) =>
      explained('Reading', path, async () => {
        const id = version ?? (await oldestOf(bucket, path))?.id;
        const stored = id === undefined ? undefined : await get(bucket, path, id, most);
        return stored === undefined ? undefined : bytesExplained(stored.bytes, path);
      }),
    list: (prefix) => pathsBelow(prefix),
    history: (path) =>
      explained('Reading', path, async () =>
        (await versionsOf(bucket, path)).map(({ id, deleteMarker, bytes }) => ({
          version: outward(id),
          deleteMarker,
          bytes,
        })),
      ),
    expire: (path) =>
      explained('Removing', path, async () => {
        // The oldest first: where that is still locked, what lies on top of it stays to be seen.
        for (const { key, id } of (await versionsOf(bucket, path)).toReversed()) {
          await bucket.reader.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key, VersionId: id }));
        }
      }),
    [Symbol.asyncDispose]: () => {
      bucket[Symbol.dispose]();
      return Promise.resolve();
    },
  };

  async function* bytesExplained(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
    try {
      yield* bytes;
    } catch (error) {
      throw explain(bucket.address, `Reading ${path}`, error);
    }
  }

  async function* pathsBelow(prefix: string): AsyncGenerator<string> {
    let last = '';
    try {
      for await (const page of versionsBelow(bucket, bucket.prefix + prefix)) {
        for (const { key, deleteMarker } of page) {
          const path = key.slice(bucket.prefix.length);
          if (deleteMarker || path === last || !isPath(path)) continue;
          last = path;
          yield path;
        }
      }
    } catch (error) {
      throw explain(bucket.address, 'Listing', error);
    }
  }
}
