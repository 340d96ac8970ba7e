import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Log } from '../log.ts';
import { answerClientError } from './client-error.ts';
import { answerProblem } from './answer.ts';
import { followBodies } from './bodies.ts';
import { fail } from '../errors.ts';
import { linger } from './linger.ts';
import { namesOneHost } from './one-host.ts';
import { requestIdOf } from './request-id.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A handler that takes a whole address, and everything under it, before any router looks at the request. */
export interface Door {
  /** Public base URL; its path is the prefix, its host a constraint where hosts differ. */
  readonly base: string;
  readonly handle: RequestHandler;
}

export interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Until this is called, every request answers 503: the port is ours before the database is. */
  open(handle: RequestHandler): void;
  /** Stops accepting, waits up to `drainMilliseconds` for requests in flight, then closes what is left. */
  close(drainMilliseconds: number): Promise<void>;
}

/**
 * Binds a port; requests are answered 503 until `open`.
 * @param mostOfBodies bytes that are being sent at a time; as many as usual where it is left out
 * @throws the `EADDRINUSE` or `EACCES` error of the bind
 */
export async function listen(host: string, port: number, log: Log, mostOfBodies?: number): Promise<Listener> {
  let handle: RequestHandler = (_request, response) =>
    answerProblem(
      response,
      fail('unavailable', 'The server is starting; try again in a moment.', { headers: { 'retry-after': '1' } }),
      '',
    );
  let draining = false;
  const bodies = followBodies(mostOfBodies);
  // An import brings all of its exports, WebSocket's client among them; only who serves pays for loading that.
  const { createServer } = await import('node:http');
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      if (draining) response.setHeader('connection', 'close');
      bodies.follow(request, response);
      linger(request, response);
      if (namesOneHost(request)) return handle(request, response);
      response.setHeader('connection', 'close');
      answerProblem(response, fail('invalid_request', 'Name one host, in one header Host.'), requestIdOf(request));
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerClientError(error, socket as Socket, log));
  await bind(server, host, port);
  return {
    server,
    port: (server.address() as AddressInfo).port,
    open: (next) => {
      handle = next;
    },
    close: async (drainMilliseconds) => {
      draining = true;
      await drain(server, drainMilliseconds);
      bodies.stop();
    },
  };
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function drain(server: Server, milliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const sweep = setInterval(() => server.closeIdleConnections(), 25);
  const deadline = setTimeout(() => server.closeAllConnections(), milliseconds);
  try {
    server.closeIdleConnections();
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
