import type { IncomingMessage } from 'node:http';

/** Bytes of bodies that are under way in a process. */
export const mostUnderWay = 256 * 1_048_576;
/** Milliseconds between two looks. */
const between = 250;

/**
 * Follows bodies that are being sent, which are held in memory until they are whole: where all of them together are too much, the connections of those that
 * take longest are closed. Whoever sends slowly would otherwise fill the memory of everybody, and who sends at once is done by then.
 */
export function followBodies(most = mostUnderWay): { follow(request: IncomingMessage): void; stop(): void } {
  /** With what its connection had read before; the oldest first. */
  const underWay = new Map<IncomingMessage, number>();
  /** Of connections that are used again: what they had read by the last request. What comes first of a body comes with its headers. */
  const ends = new WeakMap<IncomingMessage['socket'], number>();
  const bytesOf = ([{ socket }, before]: readonly [IncomingMessage, number]): number => socket.bytesRead - before;
  const look = (): void => {
    let all = underWay.entries().reduce((sum, one) => sum + bytesOf(one), 0);
    for (const one of underWay) {
      if (all <= most) return;
      all -= bytesOf(one);
      one[0].socket.destroy();
    }
  };
  const looking = setInterval(look, between).unref();
  return {
    follow: (request) => {
      const { headers, socket } = request;
      const before = ends.get(socket) ?? 0;
      ends.set(socket, socket.bytesRead);
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
