import { answerProblem, fail, requestIdOf, type Door } from '@steward/kernel';
import { addressing, pathOf, wellKnown } from './address.ts';
import { publicScopes } from './bearer.ts';

/**
 * Protected-resource metadata (RFC 9728) of every address under an origin, at the path-suffixed addresses, and of the
 * tool endpoint itself at the root. It says where tokens come from and holds nothing private, so any page may read it.
 */
export function metadataDoor(
  origin: string,
  bases: readonly string[],
  endpoint: string,
  issuers: readonly string[],
): Door {
  const base = `${origin}${wellKnown}`;
  const finders = bases.map((one) => addressing(one, endpoint));
  const resourceAt = (path: string): string | undefined => {
    if (path === '' || path === '/') return endpoint;
    const places = finders.map((find) => find(path)).filter((place) => place?.kind === 'endpoint');
    return places[0]?.kind === 'endpoint' ? places[0].address.url : undefined;
  };
  return {
    base,
    handle: (request, response) => {
      const requestId = requestIdOf(request);
      request.resume();
      const resource = resourceAt(pathOf(request.url ?? '/').slice(wellKnown.length));
      if (resource === undefined) {
        answerProblem(response, fail('not_found', 'No resource is served at this address.'), requestId);
        return;
      }
      const cors = [
        'access-control-allow-origin',
        '*',
        'access-control-allow-methods',
        'GET',
        'x-request-id',
        requestId,
      ];
      if (request.method === 'OPTIONS') {
        response.writeHead(204, [...cors, 'access-control-allow-headers', 'mcp-protocol-version']).end();
        return;
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        const problem = fail('method_not_allowed', 'Use GET here.', { headers: { allow: 'GET, HEAD, OPTIONS' } });
        answerProblem(response, problem, requestId);
        return;
      }
      const body = JSON.stringify({
        resource,
        authorization_servers: issuers,
        scopes_supported: publicScopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Steward tools',
      });
      const length = String(Buffer.byteLength(body));
      response.writeHead(200, [
        ...cors,
        'content-type',
        'application/json',
        'content-length',
        length,
        'cache-control',
        'public, max-age=300',
      ]);
      response.end(body);
    },
  };
}
