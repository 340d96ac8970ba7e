import { createLog, createRouter, fail, listen, newId, type Request } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { Graph } from '../index.ts';

export interface Served extends AsyncDisposable {
  readonly url: string;
  /** POSTs an operation; the parsed answer. */
  ask(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** POSTs bytes as they are. */
  post(body: string | Uint8Array<ArrayBuffer>, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Answer;
}

export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly locations?: readonly { readonly line: number; readonly column: number }[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
  /** Of a problem document. */
  readonly code?: string;
}

/** A tenant without any data: a test that reads data of it fails. */
export function emptyTenant(request: Request): TenantContext {
  const subject = { type: 'user', id: 'alice' } as const;
  return {
    tenant: newId(),
    chain: [subject],
    subject,
    caller: subject,
    requestId: request.id,
    correlationId: request.id,
    spend: () => undefined,
    require: () => {
      throw fail('insufficient_role');
    },
  };
}

/** The graph on a port of its own, through the product's own listener and router, at `/graphql`. */
export async function serve(
  graph: Graph,
  admit: (request: Request) => TenantContext | Promise<TenantContext> = emptyTenant,
): Promise<Served> {
  const log = createLog('silent');
  const listener = await listen('127.0.0.1', 0, log);
  const origin = `http://127.0.0.1:${listener.port}`;
  const router = await createRouter({
    server: listener.server,
    mounts: [{ base: origin, register: (scope) => graph.mount(scope, { path: '/graphql', admit }) }],
    doors: [],
    log,
    observe: () => undefined,
  });
  listener.open(router.handle);
  const url = `${origin}/graphql`;
  const post: Served['post'] = async (body, headers = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
      body,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Answer };
  };
  return {
    url,
    post,
    ask: async (query, variables, headers) => post(JSON.stringify({ query, variables }), headers),
    [Symbol.asyncDispose]: async () => {
      await listener.close(0);
      await router.close();
    },
  };
}
