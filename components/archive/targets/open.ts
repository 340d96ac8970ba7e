import { isAbsolute, resolve } from 'node:path';
import type { ArchiveConfig } from './settings.ts';
import type { ArchiveTarget } from './target.ts';
import { createFileTarget } from './file/target.ts';

/**
 * Reaches nothing yet: that happens when the target is first used.
 * @throws Error that says how an address is written
 */
export async function openTarget(settings: ArchiveConfig): Promise<ArchiveTarget> {
  const { address } = settings;
  if (address.startsWith('file:')) {
    const folder = address.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
    if (isAbsolute(folder)) return createFileTarget(resolve(folder), settings);
  }
  if (/^s3:\/\/./.test(address)) {
    // The S3 client is large: who archives into a folder does not load it.
    const { createS3Target } = await import('./s3/target.ts');
    return createS3Target(settings);
  }
  throw new Error(
    `${JSON.stringify(address)} is no archive: give file:/absolute/folder or s3://bucket/prefix (AUDIT_ARCHIVE).`,
  );
}
