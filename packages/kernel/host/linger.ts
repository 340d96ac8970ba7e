import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const mostBytes = 64 * 1_048_576;
const mostMilliseconds = 5_000;
const pause = 100;

/** The last request of each connection. */
const last = new WeakMap<Socket, IncomingMessage>();

/**
 * Makes sure that the sender of a refused body receives the refusal. Many clients write the whole body before they read, and closing a
 * connection with unread bytes resets it, so they would see only the reset. So the answer leaves at once, and later bytes are
 * read and dropped, within bounds (a lingering close).
 */
export function linger(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  last.set(socket, request);
  // Node's server closes with this once an answer has left that says `Connection: close`.
  socket.destroySoon = endFirst;
  response.once('finish', dropRest);
}

function endFirst(this: Socket): void {
  if (last.get(this)?.complete === false && !this.destroyed) this.end();
  else Socket.prototype.destroySoon.call(this);
}

function dropRest(this: ServerResponse): void {
  const { req: request } = this;
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const stop = dropAll(socket);
  request.once('close', stop).once('end', () => {
    stop();
    if (socket.writableEnded) socket.destroySoon();
  });
  request.resume();
}

/** Cuts a connection once it brought, or took, more than what is dropped. Answers how to call that off. */
export function dropAll(socket: Socket): () => void {
  const most = socket.bytesRead + mostBytes;
  const until = performance.now() + mostMilliseconds;
  const watch = setInterval(() => {
    if (socket.bytesRead > most || performance.now() > until) socket.destroy();
    if (socket.destroyed) clearInterval(watch);
  }, pause).unref();
  return () => clearInterval(watch);
}
