import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex, type Writable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { answerProblem, fail, parseJson, problemOf, requestIdOf } from '@steward/kernel';
import { z } from 'zod';
import { bodyOf, documentBody, withBody } from './document.ts';
import { targetOf, type Target } from './target.ts';

/** How many reads a page asks for at once, and how long an answer may be to come with others. */
export const mostReads = 16;
const mostBytes = 1_048_576;

const form = z.strictObject({
  reads: z
    .array(z.strictObject({ path: z.string().max(4_096), body: z.unknown().optional() }))
    .min(1)
    .max(mostReads),
});

/** A read, and the request that asks for it alone. */
export interface Read {
  readonly target: Target;
  readonly request: IncomingMessage;
}

/**
 * What a page reads when it begins, in one request: routes that are read, and GraphQL documents that are queries. Nothing is changed so.
 * @throws Problem `invalid_request` (400), `method_not_allowed` (405), `payload_too_large` (413)
 */
export async function readsOf(
  request: IncomingMessage,
  tenant: string,
  documents: ReadonlyMap<string, string>,
): Promise<readonly Read[]> {
  if (request.method !== 'POST') throw fail('method_not_allowed', 'Use POST here.', { headers: { allow: 'POST' } });
  const given = form.safeParse(parseJson(await bodyOf(request)));
  if (!given.success)
    throw fail('invalid_request', `Name 1 to ${mostReads} reads: {"reads":[{"path":"portal/api/members"}]}.`);
  return given.data.reads.map(({ path, body }) => {
    const target = targetOf(`o/${tenant}/${path}`);
    const graph = target?.path === '/graphql';
    if (target === undefined || graph === (body === undefined))
      throw fail('invalid_request', `${path} cannot be read with others.`);
    const one = alone(request, graph ? documentBody(body, documents, 'query') : undefined);
    return { target, request: one };
  });
}

/** The request of one read: headers that are about the body, or about how an answer is sent, were those of all of them. */
function alone(request: IncomingMessage, body: Buffer | undefined): IncomingMessage {
  const one = withBody(request, body ?? Buffer.alloc(0));
  one.method = body === undefined ? 'GET' : 'POST';
  for (const name of ['accept-encoding', 'idempotency-key']) delete one.headers[name];
  if (body === undefined) for (const name of ['content-type', 'content-length']) delete one.headers[name];
  return one;
}

/**
 * Sends each answer on as soon as it is whole, a line of JSON each: `at` of its read, `status`, `type`, `wait` (`Retry-After`) and `body`; `alone` where it is
 * longer than what may come with others.
 */
export async function answerTogether(
  response: ServerResponse,
  accepted: string,
  reads: readonly Read[],
  forward: (read: Read, answer: ServerResponse) => Promise<void>,
): Promise<void> {
  const packed = packing(accepted);
  response.writeHead(200, {
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(packed === undefined ? {} : { 'content-encoding': packed.name }),
  });
  packed?.stream.pipe(response);
  const lines: Writable = packed?.stream ?? response;
  const asked = reads.map((read) => ({ read, answer: new Heard(read.request) }));
  response.once('close', () => {
    for (const { answer } of asked) answer.leave();
    packed?.stream.destroy();
  });
  await Promise.all(
    asked.map(async ({ read, answer }, at) => {
      await forward(read, answer).catch((error: unknown) =>
        answerProblem(answer, problemOf(error), requestIdOf(read.request)),
      );
      const line = { at, ...(await answer.line) };
      if (response.destroyed) return;
      lines.write(`${JSON.stringify(line)}\n`);
      // Each line leaves by itself.
      packed?.stream.flush();
    }),
  );
  if (!response.destroyed) lines.end();
}

/** Reads of a page are some ten times as long as they are packed: over a poor network that is what somebody waits for. */
function packing(accepted: string) {
  if (/\bbr\b/.test(accepted))
    return { name: 'br', stream: createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) };
  if (/\bgzip\b/.test(accepted)) return { name: 'gzip', stream: createGzip({ level: 4 }) };
  return undefined;
}

/** An answer that is kept instead of being sent: what writes it knows no difference. */
class Heard extends ServerResponse {
  readonly line: Promise<object>;
  readonly #parts: Buffer[] = [];
  readonly #drain = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
  #bytes = 0;

  constructor(request: IncomingMessage) {
    super(request);
    // So that what is given to `writeHead` is found among them too.
    this.setHeader('x-content-type-options', 'nosniff');
    this.assignSocket(this.#drain as unknown as Socket);
    this.line = new Promise((resolve) => {
      this.once('finish', () => this.leave());
      this.once('close', () => resolve(this.#line()));
    });
  }

  /** As when whoever asked goes away. */
  leave(): void {
    this.#drain.destroy();
  }

  #line(): object {
    if (this.#bytes > mostBytes || !this.writableFinished) return { alone: true };
    return {
      status: this.statusCode,
      type: this.getHeader('content-type') ?? '',
      wait: this.getHeader('retry-after'),
      body: Buffer.concat(this.#parts).toString('utf8'),
    };
  }

  #keep(chunk: unknown, encoding: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    this.#bytes += bytes.length;
    if (this.#bytes > mostBytes) this.leave();
    else this.#parts.push(bytes);
  }

  override writeHead(...given: unknown[]): this {
    super.writeHead(...(given as Parameters<ServerResponse['writeHead']>));
    // It has no end that others could wait for.
    if (String(this.getHeader('content-type')).startsWith('text/event-stream')) this.leave();
    return this;
  }

  override write(...given: unknown[]): boolean {
    this.#keep(given[0], given[1]);
    return super.write(...(given as Parameters<ServerResponse['write']>));
  }

  override end(...given: unknown[]): this {
    this.#keep(given[0], given[1]);
    return super.end(...(given as Parameters<ServerResponse['end']>));
  }
}
