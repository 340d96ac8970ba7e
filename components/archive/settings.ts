import { integer, oneOf, settings, text } from '@steward/kernel';
import { readArchive, type ArchiveConfig } from './targets/settings.ts';

export interface ArchiveSettings {
  readonly archive: ArchiveConfig;
  readonly seal: {
    /** Whether this process seals in the background. */
    readonly background: boolean;
    /** How long after its end a day is sealed. */
    readonly graceMinutes: number;
    /** A path or PEM text; undefined: one is made and kept in the data folder. */
    readonly signingKey: string | undefined;
  };
}

const variables = {
  AUDIT_SEAL: {
    default: 'on',
    says: '`off`: this process seals no days in the background; `steward audit seal` does it on command.',
  },
  AUDIT_SEAL_GRACE_MINUTES: { default: '15', says: 'How long after its end a UTC day is sealed, 0 to 1439.' },
  AUDIT_SIGNING_KEY: {
    default: '',
    says: 'Ed25519 private key that signs checkpoints and receipts, the same in every process: a path, or PEM text in which `\\n` stands for a line feed. Empty makes one in DATA_DIR.',
  },
  AUDIT_ARCHIVE: {
    default: 'file:archive',
    says: 'Where sealed days are kept: `file:folder` (relative to DATA_DIR, or absolute) or `s3://bucket/prefix`.',
  },
  AUDIT_ARCHIVE_IMMUTABLE: {
    default: 'off',
    says: '`on` sets the immutable bit on archived files where this user may; then even root must `chattr -i` first.',
  },
  AUDIT_ARCHIVE_ACCEPT: {
    default: 'write-once',
    says: '`anything` also archives where nothing keeps an object from being replaced or removed, and records that.',
  },
  AUDIT_RETENTION_DAYS: {
    default: '3650',
    says: 'How long an archived object is locked, in days. A lock of S3 Object Lock cannot be shortened.',
  },
  AUDIT_S3_ENDPOINT: {
    default: '',
    says: 'S3 server other than AWS, such as https://s3.example.com; asked path-style.',
  },
  AUDIT_S3_REGION: { default: 'us-east-1', says: 'Region of the archive bucket.' },
  AUDIT_S3_ACCESS_KEY_ID: { default: '', says: 'Access key of the archive. Empty: the default chain of the AWS SDK.' },
  AUDIT_S3_SECRET_ACCESS_KEY: { default: '', says: 'Secret that belongs to AUDIT_S3_ACCESS_KEY_ID.' },
} as const;

export const archiveSettings = settings(variables, (env, { dataDir }): ArchiveSettings => ({
  archive: readArchive(env, dataDir),
  seal: {
    background: oneOf('AUDIT_SEAL', text(env, 'AUDIT_SEAL'), ['on', 'off']) === 'on',
    graceMinutes: integer(env, 'AUDIT_SEAL_GRACE_MINUTES', 0, 1_439),
    signingKey: text(env, 'AUDIT_SIGNING_KEY') === '' ? undefined : text(env, 'AUDIT_SIGNING_KEY'),
  },
}));
