import type { ServerResponse } from 'node:http';
import { logFailure, answerProblem, problemOf, type Log } from '@steward/kernel';
import type { Reply } from '../rpc/request.ts';
import { acceptsGzip, gzipOf } from './gzip.ts';

/** Writes a JSON-RPC reply: one head, one body, its length said. What is prebuilt is long, and compressed for who takes that. */
export function answerReply(
  response: ServerResponse,
  { status, prebuilt, body, bytes, headers }: Reply,
  requestId: string,
  acceptEncoding: string | string[] | undefined,
): void {
  if (prebuilt !== undefined && acceptsGzip(acceptEncoding)) {
    const packed = gzipOf(prebuilt, Buffer.from(body));
    const about = ['content-type', 'application/json', 'content-encoding', 'gzip', 'content-length', packed.length];
    response.writeHead(status, ['x-request-id', requestId, ...about.map(String)]).end(packed);
    return;
  }
  const length = bytes ?? Buffer.byteLength(body);
  // Nothing about caching: an answer to POST is not cached unless it says so (RFC 9110 §9.3.3).
  const head = ['x-request-id', requestId];
  if (body !== '') {
    head.push('content-type', 'application/json', 'content-length', String(length + (prebuilt?.length ?? 0)));
  }
  if (headers !== undefined) for (const [name, value] of Object.entries(headers)) head.push(name, value);
  response.writeHead(status, head);
  if (prebuilt !== undefined) {
    // Head, prebuilt bytes and body leave in one write, and the large part is not copied.
    response.cork();
    response.write(prebuilt);
  }
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}

/** Writes a refusal as a problem document. */
export function answerRefusal(response: ServerResponse, cause: unknown, requestId: string, log: Log): void {
  const problem = problemOf(cause);
  if (problem.status >= 500) logFailure(log, problem, { requestId }, 'request failed');
  // Reading stops after a time-out, so the connection cannot be used again.
  if (problem.status === 408) response.setHeader('connection', 'close');
  answerProblem(response, problem, requestId);
}
