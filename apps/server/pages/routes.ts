import { pageHeaders, pageText, type Reply, type Scope } from '@steward/kernel';
import { errorMain } from './error-page.ts';
import { homeMain, type HomeView } from './home.ts';

export interface PagesOptions extends Omit<HomeView, 'readiness'> {
  readonly ready: () => Promise<HomeView['readiness']>;
  /** The OpenAPI document of this installation. */
  readonly openApi: () => object;
}

/** For the tab of every page, under the name that browsers ask by themselves. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 8.5 6 12.5 14 3.5" fill="none" stroke="#0b57d0" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** What a browser is shown at the root of every host, and the documents that answers refer to. */
export function pageRoutes(scope: Scope, { ready, openApi, ...about }: PagesOptions): void {
  const send = (reply: Reply, text: string): Reply => reply.headers(pageHeaders).send(text);
  let errors: string | undefined;
  let document: string | undefined;
  // At the first, people who visit are answered by the console, where there is one.
  for (const address of ['/', '/about'])
    scope.get(address, async (_request, reply) =>
      send(reply, pageText('Steward', homeMain({ ...about, readiness: await ready() }))),
    );
  scope.get('/favicon.ico', async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
  );
  scope.get('/docs/errors', async (_request, reply) => send(reply, (errors ??= pageText('Error codes', errorMain()))));
  scope.get('/docs/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openApi()))),
  );
}
