import type { ServerResponse } from 'node:http';
import type { Problem } from '../errors.ts';
import { presentProblem } from '../problem.ts';

/** Writes a problem document to a bare response. */
export function answerProblem(response: ServerResponse, problem: Problem, requestId: string): void {
  const body = JSON.stringify(presentProblem(problem, requestId));
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(requestId === '' ? {} : { 'x-request-id': requestId }),
    ...problem.headers,
  });
  response.end(body);
}
