import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { RequestListener } from 'node:http';

const read = (name: string): string => readFileSync(new URL(`./tls/${name}`, import.meta.url), 'utf8');

/** An https server for `localhost` that this process trusts; the certificate is made for tests and secret to nobody. */
export async function startHttps(handle: RequestListener): Promise<AsyncDisposable & { url: string; port: number }> {
  const cert = read('cert.pem');
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const server: Server = createServer({ cert, key: read('key.pem') }, handle);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
