import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { Bucket } from './bucket.ts';

/** As the server lists them: by key in the order of bytes, newest first within a key. */
export interface Listed {
  readonly key: string;
  /** `null` is a version's id where versions were not kept yet. */
  readonly id: string;
  readonly bytes: number;
  readonly deleteMarker: boolean;
  readonly isLatest: boolean;
  readonly modified: number;
}

/** Every version and delete marker whose key begins with `prefix`; within a page the versions come before the markers. */
export async function* versionsBelow(bucket: Bucket, prefix: string): AsyncGenerator<Listed[]> {
  let page: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
  for (;;) {
    const answer = await bucket.reader.send(
      new ListObjectVersionsCommand({ Bucket: bucket.name, Prefix: prefix, MaxKeys: bucket.limits.page, ...page }),
    );
    const common = (entry: { Key?: string; VersionId?: string; IsLatest?: boolean; LastModified?: Date }) => ({
      key: entry.Key ?? '',
      id: entry.VersionId ?? 'null',
      isLatest: entry.IsLatest === true,
      modified: entry.LastModified?.getTime() ?? 0,
    });
    yield [
      ...(answer.Versions ?? []).map((entry) => ({ ...common(entry), bytes: entry.Size ?? 0, deleteMarker: false })),
      ...(answer.DeleteMarkers ?? []).map((entry) => ({ ...common(entry), bytes: 0, deleteMarker: true })),
    ];
    if (answer.IsTruncated !== true) return;
    page = { KeyMarker: answer.NextKeyMarker, VersionIdMarker: answer.NextVersionIdMarker };
  }
}

/** Every version and delete marker of one object, newest first. */
export async function versionsOf(bucket: Bucket, path: string): Promise<Listed[]> {
  const key = bucket.prefix + path;
  const found: Listed[] = [];
  for await (const page of versionsBelow(bucket, key)) {
    found.push(...page.filter((listed) => listed.key === key));
    // Keys that begin with this one follow it; there is no need to page through those.
    if (page.some((listed) => listed.key !== key)) break;
  }
  return inOrder(
    found.filter((listed) => !listed.deleteMarker),
    found.filter((listed) => listed.deleteMarker),
  );
}

/**
 * One list of two that are each newest first. The order of each stays as listed: it is that in which the server took them, while
 * `modified` is when a store began, so that of two at once the later one may have the earlier time.
 */
function inOrder(versions: readonly Listed[], markers: readonly Listed[]): Listed[] {
  const merged: Listed[] = [];
  let next = 0;
  for (const version of versions) {
    for (let marker = markers[next]; marker !== undefined && isNewer(marker, version); marker = markers[next]) {
      merged.push(marker);
      next += 1;
    }
    merged.push(version);
  }
  return [...merged, ...markers.slice(next)];
}

const isNewer = (a: Listed, b: Listed): boolean => a.isLatest || (!b.isLatest && a.modified > b.modified);

/** The version that counts: nothing that is stored later takes its place. */
export async function oldestOf(bucket: Bucket, path: string): Promise<Listed | undefined> {
  return (await versionsOf(bucket, path)).findLast((listed) => !listed.deleteMarker);
}
