import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { newId } from '../ids.ts';

/** Writes a secret: on disk when it returns, readable by its owner only. Folders that are missing are made. */
export async function writeSecret(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Keeps a new secret where there is none; of any number of processes that try, all answer with the first one's. */
export async function keepSecret(path: string, text: string): Promise<string> {
  const draft = join(dirname(path), `.${basename(path)}-${newId()}`);
  await writeSecret(draft, text);
  try {
    // link(2) makes the file appear whole, and for one process only.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
}

/** Undefined where there is none. */
export async function readSecret(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
