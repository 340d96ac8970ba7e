import { resolve } from 'node:path';
import { ConfigError, integer, oneOf, text, type Source } from '@steward/kernel';

type ArchiveVariable =
  | 'AUDIT_ARCHIVE'
  | 'AUDIT_ARCHIVE_IMMUTABLE'
  | 'AUDIT_ARCHIVE_ACCEPT'
  | 'AUDIT_RETENTION_DAYS'
  | 'AUDIT_S3_ENDPOINT'
  | 'AUDIT_S3_REGION'
  | 'AUDIT_S3_ACCESS_KEY_ID'
  | 'AUDIT_S3_SECRET_ACCESS_KEY';

/** Where sealed days are kept, and what that place must promise. */
export interface ArchiveConfig {
  /** `file:/absolute/folder` or `s3://bucket/prefix`. */
  readonly address: string;
  /** Ask the file system to make stored files immutable, where it and this user can. */
  readonly immutable: boolean;
  /** `write-once` refuses, when it is probed, a target that cannot keep an object from being replaced or removed. */
  readonly accept: 'write-once' | 'anything';
  /** For how long an object is locked, where the target can lock. */
  readonly retentionDays: number;
  readonly s3: {
    /** Of a server other than AWS, which is then asked path-style. */
    readonly endpoint: string | undefined;
    readonly region: string;
    /** Undefined: the default provider chain of the AWS SDK. */
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  };
}

/** @throws ConfigError with the variable that must be mended */
export function readArchive(env: Source<ArchiveVariable>, dataDir: string): ArchiveConfig {
  const endpoint = text(env, 'AUDIT_S3_ENDPOINT');
  if (endpoint !== '' && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new ConfigError('AUDIT_S3_ENDPOINT must be an http or https URL, such as https://s3.example.com.');
  }
  return {
    address: readAddress(text(env, 'AUDIT_ARCHIVE'), dataDir),
    immutable: oneOf('AUDIT_ARCHIVE_IMMUTABLE', text(env, 'AUDIT_ARCHIVE_IMMUTABLE'), ['on', 'off']) === 'on',
    accept: oneOf('AUDIT_ARCHIVE_ACCEPT', text(env, 'AUDIT_ARCHIVE_ACCEPT'), ['write-once', 'anything']),
    retentionDays: integer(env, 'AUDIT_RETENTION_DAYS', 1, 36_500),
    s3: {
      endpoint: endpoint === '' ? undefined : endpoint,
      region: text(env, 'AUDIT_S3_REGION'),
      credentials: readCredentials(env),
    },
  };
}

function readAddress(given: string, dataDir: string): string {
  if (/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w-][\w.-]*)*\/?$/.test(given)) return given;
  const folder = /^file:(?:\/\/(?=\/))?(?<folder>.+)$/.exec(given)?.groups?.['folder'];
  if (folder !== undefined) return `file:${resolve(dataDir, folder)}`;
  throw new ConfigError('AUDIT_ARCHIVE must be file:folder (relative to DATA_DIR, or absolute) or s3://bucket/prefix.');
}

function readCredentials(env: Source<ArchiveVariable>): ArchiveConfig['s3']['credentials'] {
  const accessKeyId = text(env, 'AUDIT_S3_ACCESS_KEY_ID');
  const secretAccessKey = text(env, 'AUDIT_S3_SECRET_ACCESS_KEY');
  if ((accessKeyId === '') !== (secretAccessKey === '')) {
    throw new ConfigError(
      'AUDIT_S3_ACCESS_KEY_ID and AUDIT_S3_SECRET_ACCESS_KEY go together: set both, or neither for the AWS default chain.',
    );
  }
  return accessKeyId === '' ? undefined : { accessKeyId, secretAccessKey };
}
