import { pageHeaders, pageText, type Reply, type Scope } from '@steward/kernel';
import { errorMain } from './error-page.ts';
import { homeMain, type HomeView } from './home.ts';

export interface PagesOptions extends Omit<HomeView, 'readiness'> {
  readonly ready: () => Promise<HomeView['readiness']>;
  /** The OpenAPI document of this installation. */
  readonly openApi: () => object;
}

/** What a browser is shown at the root of every host, and the documents that answers refer to. */
export function pageRoutes(scope: Scope, { ready, openApi, ...about }: PagesOptions): void {
  const send = (reply: Reply, text: string): Reply => reply.headers(pageHeaders).send(text);
  let errors: string | undefined;
  let document: string | undefined;
  scope.get('/', async (_request, reply) =>
    send(reply, pageText('Steward', homeMain({ ...about, readiness: await ready() }))),
  );
  scope.get('/docs/errors', async (_request, reply) => send(reply, (errors ??= pageText('Error codes', errorMain()))));
  scope.get('/docs/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openApi()))),
  );
}
