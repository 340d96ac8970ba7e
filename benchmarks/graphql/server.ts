// One contestant in a process of its own: `node server.ts steward|yoga|graphql-http <tenant> [url]`, from memory without a url.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBuilder, createGraph } from '@steward/graphql';
import { createLog, createRouter, listen } from '@steward/kernel';
import { openPool } from '@steward/sql';
import { parse, validate, type DocumentNode } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { createYoga } from 'graphql-yoga';
import { eventsModule, fromDatabase, fromMemory } from './events.ts';
import { contexts } from './world.ts';

const [, , contestant = '', tenant = '', url = ''] = process.argv;
const log = createLog('silent');
// From memory nothing is asked of it, so that it never connects.
const pool = openPool({ url: url === '' ? 'postgres://nobody@127.0.0.1:1/none' : url, size: 4 });
const context = contexts(pool, tenant);
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
  return listening(createServer((request, response) => void handler(request, response)));
}

/** The executor of graphql-js; texts are parsed and checked once, as ours are. */
async function reference(): Promise<number> {
  const builder = createBuilder();
  events(builder);
  const known = new Map<string, DocumentNode>();
  const found = new Map<DocumentNode, ReturnType<typeof validate>>();
  const handler = createHandler({
    schema: builder.toSchema(),
    context: () => ({ tenant: context() }),
    parse: (source) => known.getOrInsertComputed(String(source), (text) => parse(text)),
    validate: (schema, document) => found.getOrInsertComputed(document, (one) => validate(schema, one)),
  });
  return listening(createServer((request, response) => void handler(request, response)));
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const contestants = { steward, yoga, 'graphql-http': reference } as const;
const port = await contestants[contestant as keyof typeof contestants]();
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send?.({ port });
