import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/**
 * Puts headers on every request on its way to `target`: the suite cannot send a token (modelcontextprotocol/conformance
 * #453). All else passes as it is; a Host or Origin that names the proxy names the target behind it.
 */
export async function startProxy(target: string, headers: Readonly<Record<string, string>>): Promise<Proxy> {
  const upstream = new URL(target);
  let own = '';
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const behind = (value: string | undefined): string | undefined => value?.replace(own, upstream.host);
    const passed = { ...request.headers, ...headers, host: behind(request.headers.host) };
    const { origin } = request.headers;
    const outgoing = forward(
      {
        host: upstream.hostname,
        port: upstream.port,
        method: request.method,
        path: request.url,
        headers: origin === undefined ? passed : { ...passed, origin: behind(origin) },
        agent: false,
      },
      (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
        incoming.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The suite's rebinding scenario wants a loopback name.
  own = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${own}${upstream.pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
