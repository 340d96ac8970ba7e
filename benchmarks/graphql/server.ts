// One contestant in a process of its own: `node server.ts steward|yoga <tenant> [url]`, from memory without a url.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBuilder, createGraph } from '@steward/graphql';
import { createLog, createRouter, listen } from '@steward/kernel';
import { openPool } from '@steward/sql';
import { createYoga } from 'graphql-yoga';
import { eventsModule, fromDatabase, fromMemory } from './events.ts';
import { contexts } from './world.ts';

const [, , contestant = '', tenant = '', url = ''] = process.argv;
const log = createLog('silent');
const context = contexts(openPool({ url, size: 4 }), tenant);
const events = eventsModule(url === '' ? fromMemory() : fromDatabase);

async function steward(): Promise<number> {
  const graph = createGraph({ modules: [events], graphiql: false, log });
  const listener = await listen('127.0.0.1', 0, log);
  const base = `http://127.0.0.1:${listener.port}`;
  const router = await createRouter({
    server: listener.server,
    mounts: [{ base, register: (scope) => graph.mount(scope, { path: '/graphql', admit: context }) }],
    doors: [],
    log,
    observe: () => undefined,
  });
  listener.open(router.handle);
  return listener.port;
}

async function yoga(): Promise<number> {
  const builder = createBuilder();
  events(builder);
  const handler = createYoga({
    // The schema as Pothos makes it: what `createGraph` does to one is part of what is measured.
    schema: builder.toSchema(),
    context: () => ({ tenant: context() }),
    graphiql: false,
    landingPage: false,
    logging: false,
  });
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const port = await (contestant === 'steward' ? steward() : yoga());
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send?.({ port });
