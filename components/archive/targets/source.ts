import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Source } from './target.ts';

export const bytesOf = async (source: Source): Promise<number> =>
  Buffer.isBuffer(source) ? source.length : (await stat(source.file)).size;

/** SHA-256 of what is to be stored, hex. */
export async function digestOf(source: Source): Promise<string> {
  if (Buffer.isBuffer(source)) return hash('sha256', source, 'hex');
  return source.sha256 ?? (await digestOfStream(createReadStream(source.file, { highWaterMark: 1 << 18 })));
}

/** SHA-256 of everything that comes, hex. */
export async function digestOfStream(chunks: AsyncIterable<Buffer>): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const chunk of chunks) sha256.update(chunk);
  return sha256.digest('hex');
}
