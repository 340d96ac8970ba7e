import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError } from './errors.ts';

/** Kept in the cluster itself: the two appear, are copied and are restored together. */
export function passwordFile(cluster: string): string {
  return join(cluster, 'steward.password');
}

export function drawPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** @throws EmbeddedError `data_dir_unusable` */
export function readPassword(cluster: string): string {
  try {
    return readFileSync(passwordFile(cluster), 'utf8').trim();
  } catch (cause) {
    throw new EmbeddedError(
      'data_dir_unusable',
      `The superuser's password cannot be read from ${passwordFile(cluster)}: bring that file back, or set DATABASE_URL to a PostgreSQL server that serves this data.`,
      { cause },
    );
  }
}
