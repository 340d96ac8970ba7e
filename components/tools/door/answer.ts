import type { ServerResponse } from 'node:http';
import { answerProblem, problemOf, type Log } from '@steward/kernel';
import type { Reply } from '../rpc/desk.ts';

/** Writes a JSON-RPC reply: one head, one body, its length said. */
export function answerReply(
  response: ServerResponse,
  { status, prebuilt, body, bytes, headers }: Reply,
  requestId: string,
): void {
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
  if (problem.status >= 500) log.error({ err: problem.cause ?? problem, requestId }, 'request failed');
  // Reading stops after a time-out, so the connection cannot be used again.
  if (problem.status === 408) response.setHeader('connection', 'close');
  answerProblem(response, problem, requestId);
}
