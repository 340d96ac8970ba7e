import { dictionary } from '@steward/kernel';

const mends = dictionary<string>({
  ENOSPC: 'the disk is full: free space, and what was not stored is stored by the next run',
  EDQUOT: 'the quota is used up: raise it, and what was not stored is stored by the next run',
  EFBIG: 'the file is larger than this process may write (ulimit -f, or a limit of the file system): raise the limit',
  EROFS: 'the file system is mounted read-only: mount it for writing',
  EACCES: 'this process may not write there: give its user the folder',
  EPERM: 'the file system refused: it must know hard links, and let this user write',
  ENOTSUP: 'the file system knows no hard links: choose one that does, such as ext4 or XFS',
  ENOTDIR: 'a file stands where a folder must be: move it away',
  ELOOP: 'a link stands where a file or folder must be: move it away',
  EMLINK: 'the file has too many links: move some away',
});

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** The same fault, as a sentence that says what to do; what it is not known to be stays as it is. */
export function explain(address: string, what: string, error: unknown): unknown {
  const code = codeOf(error);
  const mend = code === undefined ? undefined : mends[code];
  if (mend === undefined) return error;
  return Object.assign(new Error(`${what} failed in the archive ${address}: ${mend} (${code}).`, { cause: error }), {
    code,
  });
}
