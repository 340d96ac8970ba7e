import { answerProblem, fail, requestIdOf, type Door, type RequestHandler } from '@steward/kernel';
import type { JSONWebKeySet } from 'jose';
import { readDevelopmentKeys } from './keys.ts';
import type { ProviderOptions } from './options.ts';
import { isProxied } from './proxied.ts';

export { mintToken, type MintOptions } from './mint.ts';
export { approvalScope, approverClient, defaultScopes } from './scopes.ts';
export type { PresetClient } from './clients/preset.ts';
export type { ProviderOptions } from './options.ts';
export type { TenantChoice } from './pages/consent.ts';

export interface Provider {
  /** For the provider's own address, and for the well-known addresses that clients derive from it (RFC 8414 §3.1). */
  readonly doors: readonly Door[];
  readonly handle: RequestHandler;
  readonly jwks: JSONWebKeySet;
}

const throughProxy =
  'The development identity provider asks for no password, so it refuses requests through a proxy: configure your own ' +
  'identity provider in ISSUERS, or set DEV_IDP=unsafe-public for a throw-away tunnel.';

/**
 * The development identity provider: anyone can log in as anybody, so it is for one's own machine only. Its code is
 * loaded with the first request (200 ms, 20 MB), so that a start and the command line cost none of it.
 */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { origin, pathname } = new URL(options.issuer);
  const jwks = await readDevelopmentKeys(options.dataDir);
  let loading: Promise<RequestHandler> | undefined;
  const load = async (): Promise<RequestHandler> => (await import('./serve.ts')).serve(options);
  const handle: RequestHandler = (request, response) => {
    if (options.unsafePublic !== true && isProxied(request.headers)) {
      answerProblem(response, fail('misdirected_request', throughProxy), requestIdOf(request));
      return;
    }
    loading ??= load();
    loading
      .then((serve) => serve(request, response))
      .catch((error: unknown) => {
        loading = undefined;
        options.log.error({ err: error }, 'the development identity provider cannot be loaded');
        answerProblem(response, fail('internal_error'), requestIdOf(request));
      });
  };
  const wellKnown = ['oauth-authorization-server', 'openid-configuration'];
  const bases = [options.issuer, ...wellKnown.map((name) => `${origin}/.well-known/${name}${pathname}`)];
  return { doors: bases.map((base) => ({ base, handle })), handle, jwks };
}
