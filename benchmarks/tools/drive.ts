import { connect, type Socket } from 'node:net';

/** A request as it goes over the wire, again and again. */
export const wire = (port: number, path: string, headers: Readonly<Record<string, string>>, body: string): Buffer => {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
};

/**
 * Sends `count` requests over `connections` kept alive, each waiting for its answer; `next` says which to send.
 * @throws Error for an answer that is not 200
 */
export async function drive(
  port: number,
  connections: number,
  count: number,
  next: (index: number) => Buffer,
): Promise<void> {
  let sent = 0;
  const spinning = spin();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay();
      try {
        while (sent < count) await exchange(socket, next(sent++), false);
      } finally {
        socket.destroy();
      }
    }),
  );
  spinning.stop();
}

/** Keeps this process awake: a server that writes to one asleep pays for waking it, and the slower one pays more often. */
function spin(): { stop(): void } {
  let on = true;
  const turn = (): void => {
    if (on) setImmediate(turn);
  };
  turn();
  return {
    stop: () => {
      on = false;
    },
  };
}

/** The body one request is answered with. */
export async function ask(port: number, request: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    return (await exchange(socket, request, true)).toString();
  } finally {
    socket.destroy();
  }
}

/** Of the body, by its header in either spelling; without reading the head, whose length is the contestants' own. */
function lengthIn(head: Buffer): number {
  let at = head.indexOf('ontent-');
  while (at >= 0 && head.toString('latin1', at + 7, at + 13).toLowerCase() !== 'length')
    at = head.indexOf('ontent-', at + 7);
  return Number.parseInt(head.toString('latin1', at + 15, at + 25), 10);
}

async function exchange(socket: Socket, request: Buffer, keep: boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const kept: Buffer[] = [];
    let missing: number | undefined;
    const settle = (error?: Error): void => {
      socket.off('data', read).off('error', settle).off('close', closed);
      if (error === undefined) resolve(Buffer.concat(kept));
      else reject(error);
    };
    const closed = (): void => settle(new Error('the server closed the connection'));
    const read = (chunk: Buffer): void => {
      let body = chunk;
      if (missing === undefined) {
        if (chunk.indexOf('HTTP/1.1 200') !== 0) return settle(new Error(chunk.toString().slice(0, 800)));
        missing = lengthIn(chunk);
        body = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4);
      }
      if (keep) kept.push(body);
      missing -= body.length;
      if (missing <= 0) settle();
    };
    socket.on('data', read).on('error', settle).on('close', closed);
    socket.write(request);
  });
}
