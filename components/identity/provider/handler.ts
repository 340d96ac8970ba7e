import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerProblem, fail, isLoopback, Problem, requestIdOf, type Log, type RequestHandler } from '@steward/kernel';
import type { Provider } from 'oidc-provider';
import { boundForm, mostParameters } from './form.ts';
import { defaultScopes } from './scopes.ts';

export interface HandlerParts {
  readonly provider: Provider;
  readonly issuer: URL;
  /** Serves `/interaction/{uid}`. */
  readonly interact: (request: IncomingMessage, response: ServerResponse, uid: string) => Promise<void>;
  readonly log: Log;
}

const wellKnown = /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/;

/** Takes requests as they arrive at the host, and hands them on as `oidc-provider` expects them. */
export function createHandler({ provider, issuer, interact, log }: HandlerParts): RequestHandler {
  const mount = issuer.pathname.replace(/\/$/, '');
  const callback = provider.callback();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOwnHost(request.headers.host, issuer)) throw fail('misdirected_request');
    pinAddress(request, issuer);
    const [path = '', query] = (request.url ?? '/').split('?', 2);
    if ((query ?? '').split('&', mostParameters + 1).length > mostParameters)
      throw fail('invalid_request', `The address has too many parameters: send at most ${mostParameters}.`);
    const own = wellKnown.test(path) ? path.replace(mount, '') : path.slice(mount.length) || '/';
    const step = /^\/interaction\/([\w-]{1,64})$/.exec(own)?.[1];
    if (step !== undefined) return interact(request, response, step);
    await boundForm(request);
    if (own === '/register' && answersPreflight(request, response)) return undefined;
    const search = own === '/authorize' ? withScope(query) : query;
    const target = search === undefined ? own : `${own}?${search}`;
    // It makes its addresses of the part of `originalUrl` before `url`.
    Object.assign(request, { url: target, originalUrl: `${mount}${target}` });
    return callback(request, response);
  };
  return (request, response) => {
    serve(request, response).catch((error: unknown) => {
      // The caller went away in the middle of its request.
      if (response.destroyed) return;
      const known = error instanceof Problem;
      if (!known) log.error({ err: error }, 'identity provider failed');
      if (response.headersSent) response.destroy();
      else answerProblem(response, known ? error : fail('internal_error'), requestIdOf(request));
    });
  };
}

/** Other names may lead here by DNS rebinding, and a page at such a name must not drive the login form. */
function isOwnHost(host: string | undefined, issuer: URL): boolean {
  if (host === issuer.host) return true;
  const url = URL.parse(`http://${host ?? ''}`);
  return isLoopback(issuer.hostname) && url !== null && isLoopback(url.hostname) && url.port === issuer.port;
}

/** The issuer's address is configuration, whatever the request or a proxy says. */
function pinAddress(request: IncomingMessage, issuer: URL): void {
  delete request.headers['x-forwarded-host'];
  request.headers.host = issuer.host;
  request.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
}

/** `oidc-provider` would end such a request as denied, since nothing was asked for. */
function withScope(query: string | undefined): string {
  const parameters = new URLSearchParams(query);
  if ((parameters.get('scope') ?? '') !== '') return query ?? '';
  parameters.set('scope', defaultScopes.join(' '));
  return parameters.toString();
}

/** Registration from a page in a browser; the other endpoints see to it themselves. */
function answersPreflight(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*');
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, mcp-protocol-version',
    'access-control-max-age': '3600',
  });
  response.end();
  return true;
}
