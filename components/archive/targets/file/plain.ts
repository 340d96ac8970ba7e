import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveConflict } from '../target.ts';

/** A link leads who knows where, and a pipe would never end. */
const plainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opened when it is read, so that bytes nobody asks for hold no file open; it may have been changed since it was looked at. */
export async function* plainBytes(root: string, path: string, most: number): AsyncGenerator<Buffer> {
  const file = await open(join(root, path), plainly);
  try {
    if (!(await file.stat()).isFile()) throw new ArchiveConflict(path, 'what stands there is no plain file');
    if (most > 0) yield* file.createReadStream({ highWaterMark: 1 << 18, end: most - 1, autoClose: false });
  } finally {
    await file.close();
  }
}
