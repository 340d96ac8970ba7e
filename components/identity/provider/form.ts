import type { IncomingMessage } from 'node:http';
import { fail } from '@steward/kernel';

/** No request of OAuth comes near it; each parameter is looked at many times. */
export const mostParameters = 100;

/** Larger than any form of our pages; what `oidc-provider` itself takes at most. */
const [ownLimit, limit] = [16_384, 57_344];

/** Fields of a submitted form; undefined when it is none, or larger than any of ours. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const body = await formBody(request, ownLimit);
  return body === undefined || hasTooMany(body) ? undefined : new URLSearchParams(body.toString('utf8'));
}

/** Reads a form before `oidc-provider` does, and passes it on unread. @throws Problem `invalid_request` (400) */
export async function boundForm(request: IncomingMessage): Promise<void> {
  if (!isForm(request)) return;
  const body = await formBody(request, limit);
  if (body === undefined || hasTooMany(body))
    throw fail(
      'invalid_request',
      `The form is too large: send at most ${mostParameters} parameters and ${limit} bytes.`,
    );
  Object.defineProperties(request, {
    readable: { value: true },
    iterator: {
      value: async function* iterate() {
        if (body.length > 0) yield body;
      },
    },
  });
}

const isForm = ({ headers }: IncomingMessage): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');

const hasTooMany = (body: Buffer): boolean =>
  body.toString('latin1').split('&', mostParameters + 1).length > mostParameters;

async function formBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (!isForm(request)) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  // Read to its end even when too large: what is left unread would hold up the next request of the connection.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  }
  return size > most ? undefined : Buffer.concat(chunks);
}
