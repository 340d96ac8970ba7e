import type { Socket } from 'node:net';
import type { Log } from '../log.ts';
import { fail } from '../errors.ts';
import { presentProblem } from '../problem.ts';
import { newId } from '../ids.ts';
import { dropAll } from './linger.ts';

const answered = new WeakSet<Socket>();

/** Answers what never became a request: malformed HTTP, oversized headers, a sender that went silent. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, log: Log): void {
  // What else it brings is no request either; it is dropped, so that the answer arrives.
  if (answered.has(socket) && error.code !== 'ECONNRESET') return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? fail('headers_too_large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? fail('request_timeout')
        : fail('invalid_request', 'The request is not well-formed HTTP/1.1.');
  log.debug({ code: error.code }, 'client error');
  const body = JSON.stringify(presentProblem(problem, newId()));
  answered.add(socket);
  const stop = dropAll(socket);
  socket.once('close', stop).once('end', () => socket.destroySoon());
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
