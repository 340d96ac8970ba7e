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
  const given = asked.safeParse(parseJson(await bodyOf(request)));
  const query = given.success ? documents.get(given.data.document) : undefined;
  if (!given.success || query === undefined)
    throw fail('invalid_request', 'Name a document of the console: {"document":"…","variables":{…}}.');
  const body = Buffer.from(JSON.stringify({ query, variables: given.data.variables ?? {} }));
  return withBody(request, body);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
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
function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
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
