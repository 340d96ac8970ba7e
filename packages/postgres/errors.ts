/**
 * What a start can be refused for:
 * - `unsupported_platform` no PostgreSQL is packaged for this machine, or its program does not run here
 * - `data_dir_in_use`      a live process holds the data folder (`pid` names it where known)
 * - `data_dir_unusable`    the folder cannot be read, written, or holds something else than a database
 * - `wrong_version`        the data belongs to another major version of PostgreSQL
 * - `disk_full`            no space or quota left
 * - `no_account`           there is no unprivileged account that PostgreSQL could run under
 * - `create_failed`, `start_failed` PostgreSQL itself gave up; the message carries its reason
 */
export type EmbeddedErrorCode =
  | 'unsupported_platform'
  | 'data_dir_in_use'
  | 'data_dir_unusable'
  | 'wrong_version'
  | 'disk_full'
  | 'no_account'
  | 'create_failed'
  | 'start_failed';

/** A refusal to start the embedded PostgreSQL: one sentence that says what to do, and a stable code. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
  readonly code: EmbeddedErrorCode;
  readonly pid: number | undefined;

  constructor(code: EmbeddedErrorCode, message: string, options: { cause?: unknown; pid?: number } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.pid = options.pid;
  }

  /** Turns a failure of the file system into a sentence about the data folder; leaves other errors as they are. */
  static from(cause: unknown, dataDir: string): unknown {
    const message = cause instanceof Error ? cause.message : String(cause);
    switch (errorCode(cause)) {
      case 'ENOSPC':
      case 'EDQUOT':
        return diskFull(dataDir, cause);
      case 'EACCES':
      case 'EPERM':
      case 'EROFS':
      case 'ENOTDIR':
      case 'EBUSY':
      case 'ENOTEMPTY':
      case 'EXDEV':
        return new EmbeddedError(
          'data_dir_unusable',
          `The data folder ${dataDir} cannot be used (${message}): make it a writable folder of the user who starts Steward, or set DATA_DIR to another one.`,
          { cause },
        );
      default:
        return cause;
    }
  }
}

/** Whether PostgreSQL's words say so. */
export function tellsDiskFull(output: string): boolean {
  return /No space left on device|Disk quota exceeded|free disk space|wrote only/i.test(output);
}

export function diskFull(dataDir: string, cause?: unknown): EmbeddedError {
  return new EmbeddedError(
    'disk_full',
    `The disk that holds ${dataDir} is full: free some space there, or set DATA_DIR to a folder on another disk.`,
    { cause },
  );
}

/** The `code` of a Node system error, else undefined. */
export function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
