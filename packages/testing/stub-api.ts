import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was asked of a stub. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Aborted once it is answered, or whoever asked has gone away. */
  readonly left: AbortSignal;
}

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How an API fails. */
export type Fault = 'limited' | 'broken' | 'silent' | 'half';

/** The API of a provider on a port of its own, which behaves as it documents, and fails as often as it is told to. */
export interface Stub extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** The next answers fail so, one after the other. */
  fail(...faults: readonly Fault[]): void;
  /** The next answer at a path that ends so fails: what works in the background asks for other paths meanwhile. */
  failAt(path: string, fault: Fault): void;
}

export async function createStub(answer: (asked: Asked) => Said | Promise<Said>): Promise<Stub> {
  const asked: Asked[] = [];
  const faults: { readonly at: string; readonly fault: Fault }[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const left = new AbortController();
      response.once('close', () => left.abort());
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
      const one: Asked = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        left: left.signal,
      };
      asked.push(one);
      const due = faults.findIndex(({ at }) => pathname.endsWith(at));
      const fault = due < 0 ? undefined : faults.splice(due, 1)[0]?.fault;
      if (fault === 'silent') return request.socket.destroy();
      if (fault === 'limited') return response.writeHead(429, { 'retry-after': '1' }).end('{}');
      if (fault === 'broken') return response.writeHead(500).end('{}');
      const { status = 200, headers = {}, body } = await answer(one);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
        ...headers,
      });
      if (fault === 'half') {
        response.write(text.slice(0, Math.ceil(text.length / 2)));
        return setTimeout(() => request.socket.destroy(), 5);
      }
      return response.end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    fail: (...next) => void faults.push(...next.map((fault) => ({ at: '', fault }))),
    failAt: (at, fault) => void faults.push({ at, fault }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
