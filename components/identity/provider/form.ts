import type { IncomingMessage } from 'node:http';

const limit = 16_384;

/** Fields of a submitted form; undefined when it is none, or larger than any of ours. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  // Read to its end even when too large: what is left unread would hold up the next request of the connection.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size > limit ? undefined : new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
