import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

// Loaded into the server before its own code (NODE_OPTIONS): it tells what is routed, and for how long the thread that answers
// everybody was at work without a pause. Time of the processor, not of a clock: a busy machine makes it no longer.

/** What a reading answers. */
export interface Reading {
  /** Milliseconds of the longest stretch since the last reading. */
  readonly stretch: number;
}

/** What `/seen` answers. */
export interface Seen {
  /** Of the routers of all listeners, such as `POST /portal/api/brands`. */
  readonly routes: readonly string[];
  /** Names of headers that the code asked for so far, by the method and address of the request. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

const tick = 5;
const routes = new Set<string>();
let last = process.threadCpuUsage();
let stretch = 0;

function look(): void {
  const now = process.threadCpuUsage();
  stretch = Math.max(stretch, (now.user - last.user + now.system - last.system) / 1000);
  last = now;
}

interface Router {
  addHook(name: 'onRoute', hook: (route: { readonly url: string; readonly method: string | string[] }) => void): void;
}

subscribe('fastify.initialization', (message) => {
  (message as { readonly fastify: Router }).fastify.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) routes.add(`${one} ${url}`);
  });
});

const headers = new Map<string, Set<string>>();
subscribe('http.server.request.start', (message) => {
  const { request } = message as { readonly request: IncomingMessage };
  const place = `${request.method} ${request.url?.split('?', 1)[0]}`;
  if (place.length > 200 || headers.size > 5_000) return;
  const names = headers.get(place) ?? new Set();
  headers.set(place, names);
  const value = new Proxy(request.headers, {
    get(target, name): unknown {
      if (typeof name === 'string') names.add(name);
      return Reflect.get(target, name);
    },
  });
  Object.defineProperty(request, 'headers', { value, configurable: true });
});

const server = createServer(({ url }, response) => {
  look();
  if (url === '/seen') {
    const seen: Seen = {
      routes: [...routes],
      headers: Object.fromEntries(headers.entries().map(([place, names]) => [place, [...names]])),
    };
    response.end(JSON.stringify(seen));
    return;
  }
  const reading: Reading = { stretch };
  stretch = 0;
  response.end(JSON.stringify(reading));
});
const file = process.env['STALL_PROBE'];
if (file !== undefined) {
  setInterval(look, tick).unref();
  server.listen(0, '127.0.0.1', () => {
    writeFileSync(file, String((server.address() as AddressInfo).port));
    server.unref();
  });
}
