import { dictionary } from '@steward/kernel';
import { ArchiveConflict } from '../target.ts';

interface S3Fault {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export const nameOf = (error: unknown): string => (error as S3Fault).code ?? (error as S3Fault).name ?? 'Error';
export const statusOf = (error: unknown): number | undefined => (error as S3Fault).$metadata?.httpStatusCode;

const passing = new Set(
  [
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EAI_AGAIN EHOSTUNREACH ENETUNREACH ECONNABORTED ERR_STREAM_PREMATURE_CLOSE',
    'TimeoutError AbortError RequestTimeout RequestTimeTooSkewed SlowDown ConditionalRequestConflict OperationAborted TruncatedAnswer',
    'BadDigest InvalidDigest XAmzContentSHA256Mismatch XAmzContentChecksumMismatch IncompleteBody',
  ].flatMap((names) => names.split(' ')),
);

/** Whether asking again can help. After a store it also means: whether it took place is not known. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return passing.has(nameOf(error)) || status >= 500 || status === 429 || status === 412 || status === 409;
}

/** A sentence of ours, or the file system's about the source. */
const isOwn = (error: unknown): boolean =>
  error instanceof ArchiveConflict ||
  (error instanceof Error &&
    ((error.name === 'Error' && !('code' in error)) || ('syscall' in error && 'path' in error)));

const mends = dictionary<string>({
  NoSuchBucket:
    'the bucket does not exist: create it with Object Lock (docs/guides/operating.md, Archive), or correct AUDIT_ARCHIVE',
  AccessDenied: 'the server denies it: give the access key the permissions listed in docs/guides/operating.md, Archive',
  InvalidAccessKeyId: 'the server does not know the access key: correct AUDIT_S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret does not belong to the access key: correct AUDIT_S3_SECRET_ACCESS_KEY',
  CredentialsProviderError: 'no credentials were found: set AUDIT_S3_ACCESS_KEY_ID and AUDIT_S3_SECRET_ACCESS_KEY',
  AuthorizationHeaderMalformed: 'the bucket is in another region: correct AUDIT_S3_REGION',
  PermanentRedirect: 'the bucket is in another region: correct AUDIT_S3_REGION or AUDIT_S3_ENDPOINT',
  RequestTimeTooSkewed: 'the clocks of this machine and the server differ: set this one right',
  InvalidArgument: 'the server refused an argument: if the clock of this machine is behind, set it right',
  ENOTFOUND: 'the name of the server is not known: correct AUDIT_S3_ENDPOINT',
  QuotaExceeded: 'the quota is used up: raise it',
});

/**
 * The same fault as a sentence that says what to do. The SDK's own error is dropped: it carries the request, and with it tokens.
 * What is of our own making stays as it is.
 */
export function explain(address: string, what: string, error: unknown): unknown {
  if (isOwn(error)) return error;
  const name = nameOf(error);
  const status = statusOf(error);
  const mend =
    mends[name] ??
    (isPassing(error)
      ? 'the server did not answer as it should: the next run goes on where this one stopped'
      : 'the server refused');
  const shown = status === undefined ? name : `${name}, HTTP ${status}`;
  return Object.assign(new Error(`${what} failed in the archive ${address}: ${mend} (${shown}).`), { code: name });
}
