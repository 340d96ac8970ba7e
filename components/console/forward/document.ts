import { IncomingMessage } from 'node:http';
import { bodyLimit, fail, parseJson, Problem } from '@steward/kernel';
import { z } from 'zod';

const asked = z.strictObject({
  document: z.string().regex(/^[\w-]{1,64}$/),
  variables: z.record(z.string(), z.unknown()).optional(),
});

/**
 * The GraphQL request for which a page named a document: what the console was built with, and nothing else, is run.
 * @throws Problem `invalid_request` (400), `payload_too_large` (413)
 */
export async function documentRequest(
  request: IncomingMessage,
  documents: ReadonlyMap<string, string>,
): Promise<IncomingMessage> {
  if (request.method !== 'POST') throw fail('method_not_allowed', 'Use POST here.', { headers: { allow: 'POST' } });
  return withBody(request, documentBody(parseJson(await bodyOf(request)), documents));
}

/** @param only the kind of operation that may be run. @throws Problem `invalid_request` (400) */
export function documentBody(body: unknown, documents: ReadonlyMap<string, string>, only = ''): Buffer {
  const given = asked.safeParse(body);
  const query = given.success ? documents.get(given.data.document) : undefined;
  if (!given.success || query === undefined)
    throw fail('invalid_request', 'Name a document of the console: {"document":"…","variables":{…}}.');
  if (!query.startsWith(only)) throw fail('invalid_request', `${given.data.document} is no ${only}.`);
  return Buffer.from(JSON.stringify({ query, variables: given.data.variables ?? {} }));
}

/** @throws Problem `invalid_request` (400), `payload_too_large` (413) */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bodyLimit) throw fail('payload_too_large', `Send at most ${bodyLimit} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    // Whoever went away in the middle of it reads no answer.
    throw error instanceof Problem ? error : fail('invalid_request', 'The body broke off.', { cause: error });
  }
  return Buffer.concat(chunks);
}

/** The same request with another body. */
export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const changed = new IncomingMessage(request.socket);
  changed.method = request.method;
  changed.url = request.url;
  changed.httpVersion = request.httpVersion;
  changed.headers = {
    ...request.headers,
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  delete changed.headers['transfer-encoding'];
  delete changed.headers['content-encoding'];
  changed.push(body);
  changed.push(null);
  changed.complete = true;
  return changed;
}
