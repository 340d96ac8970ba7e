import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of bodies that are under way in a process, each way. */
export const mostUnderWay = 256 * 1_048_576;
/** Milliseconds between two looks. */
const between = 250;

/**
 * Follows bodies that are being sent, which are held in memory until they are whole, and answers that nobody reads: where all of them together are too
 * much, the connections of the oldest are closed. Whoever is slow would otherwise fill the memory of everybody, and who is not is done by then.
 */
export function followBodies(most = mostUnderWay): {
  follow(request: IncomingMessage, response: ServerResponse): void;
  stop(): void;
} {
  /** With what its connection had read before; the oldest first. */
  const underWay = new Map<IncomingMessage, number>();
  const answered = new Set<Socket>();
  /** Of connections that are used again: what they had read by the last request. What comes first of a body comes with its headers. */
  const ends = new WeakMap<Socket, number>();
  const look = (): void => {
    close(
      Array.from(underWay, ([{ socket }, before]) => [socket, socket.bytesRead - before]),
      most,
    );
    close(
      Array.from(answered, (socket) => [socket, socket.writableLength]),
      most,
    );
  };
  const looking = setInterval(look, between).unref();
  return {
    follow: (request, response) => {
      const { headers, socket } = request;
      const before = ends.get(socket) ?? 0;
      ends.set(socket, socket.bytesRead);
      answered.add(socket);
      response.once('close', () => answered.delete(socket));
      if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
      underWay.set(request, before);
      const done = (): void => {
        if (underWay.delete(request)) ends.set(socket, socket.bytesRead);
      };
      request.once('end', done).once('close', done);
    },
    stop: () => clearInterval(looking),
  };
}

/** Closes the first of them, until what the others hold is no more than so much. */
function close(held: readonly (readonly [Socket, number])[], most: number): void {
  let all = held.reduce((sum, [, bytes]) => sum + bytes, 0);
  for (const [socket, bytes] of held) {
    if (all <= most) return;
    if (bytes === 0) continue;
    all -= bytes;
    socket.destroy();
  }
}
