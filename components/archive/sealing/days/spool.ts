import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@steward/kernel';
import type { Source } from '../../targets/target.ts';

/** Days up to this many bytes, nearly all of them, never touch the disk here. */
const inMemory = 1 << 20;
/** A leftover of a process that was killed; longer than any upload. */
const staleAfter = 24 * 60 * 60 * 1000;

export interface Spooled {
  readonly source: Source;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Rows of a day on their way to the archive: in memory, or in a file once they are many. */
export class Spool implements AsyncDisposable {
  readonly #folder: string;
  readonly #sha256 = createHash('sha256');
  #chunks: Buffer[] = [];
  #bytes = 0;
  #file: { readonly handle: FileHandle; readonly path: string } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#sha256.update(chunk);
    this.#bytes += chunk.length;
    if (this.#file === undefined && this.#bytes <= inMemory) {
      this.#chunks.push(chunk);
      return;
    }
    this.#file ??= await this.#spill();
    await this.#file.handle.writeFile(chunk);
  }

  async finish(): Promise<Spooled> {
    await this.#file?.handle.close();
    const sha256 = this.#sha256.digest('hex');
    const source = this.#file === undefined ? Buffer.concat(this.#chunks) : { file: this.#file.path, sha256 };
    return { source, bytes: this.#bytes, sha256 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#file === undefined) return;
    await this.#file.handle.close();
    await rm(this.#file.path, { force: true });
  }

  async #spill(): Promise<{ handle: FileHandle; path: string }> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${newId()}.jsonl`);
    const handle = await open(path, 'wx', 0o600);
    for (const chunk of this.#chunks) await handle.writeFile(chunk);
    this.#chunks = [];
    return { handle, path };
  }
}

/** Removes what processes left behind that were killed. */
export async function sweepSpool(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleAfter) await rm(path, { force: true });
  }
}
