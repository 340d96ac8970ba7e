import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Loaded into the server before its own code (NODE_OPTIONS): it tells what is routed, and for how long the thread that answers
// everybody was at work without a pause. Time of the processor, not of a clock: a busy machine makes it no longer.

/** What a reading answers. */
export interface Reading {
  /** Milliseconds of the longest stretch since the last reading. */
  readonly stretch: number;
  /** Of the routers of all listeners, such as `POST /portal/api/brands`. */
  readonly routes: readonly string[];
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

const server = createServer((_request, response) => {
  look();
  const reading: Reading = { stretch, routes: [...routes] };
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
