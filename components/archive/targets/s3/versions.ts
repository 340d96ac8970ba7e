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
  return found.toSorted((a, b) => Number(b.isLatest) - Number(a.isLatest) || b.modified - a.modified);
}

/** The version that counts: nothing that is stored later takes its place. */
export async function oldestOf(bucket: Bucket, path: string): Promise<Listed | undefined> {
  return (await versionsOf(bucket, path)).findLast((listed) => !listed.deleteMarker);
}
