import {
  answerProblem,
  fail,
  requestIdOf,
  type Addresses,
  type Door,
  type Log,
  type RequestHandler,
} from '@steward/kernel';
import type { JSONWebKeySet } from 'jose';
import type { PresetClient } from './clients/preset.ts';
import { readDevelopmentKeys } from './keys.ts';
import type { TenantChoice } from './pages/consent.ts';
import { isProxied } from './proxied.ts';

export { mintToken, type MintOptions } from './mint.ts';
export { approvalScope, approverClient, defaultScopes } from './scopes.ts';
export type { PresetClient, TenantChoice };

export interface ProviderOptions {
  /** Public base URL of the provider. */
  readonly issuer: string;
  readonly dataDir: string;
  /** What tokens can be for. */
  readonly resources: Addresses;
  /** The tenants a person may choose from at consent. */
  readonly tenantsOf: (subject: string) => Promise<readonly TenantChoice[]>;
  readonly log: Log;
  /** Clients besides the console that need no registration. */
  readonly clients?: readonly PresetClient[];
  /** Where the console takes its codes; `/signed-in` at the issuer's origin by default. */
  readonly consoleRedirects?: readonly string[];
  /** DEV_IDP=unsafe-public: every page says so. */
  readonly unsafePublic?: boolean;
}

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
 * The development identity provider: anyone is whoever they say, so it is for one's own machine only. Its machinery is
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
