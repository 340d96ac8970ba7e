import { fail, isLoopback, type Clock, type Log } from '@steward/kernel';
import type { ClientAuth, Configuration } from 'openid-client';

/** Where people sign in, and as which client. */
export interface Issuer {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly secret: string | undefined;
  /** For identity providers that know no resource indicators (RFC 8707): asked for as `audience`. */
  readonly audience: string | undefined;
}

export interface Issuers {
  readonly all: readonly Issuer[];
  /** @throws Problem `unavailable` (503) where it cannot be reached */
  configurationOf(issuer: Issuer): Promise<Configuration>;
}

/** Loaded by the first who signs in. */
export const oidc = async (): Promise<typeof import('openid-client')> => import('openid-client');

const fresh = 600_000;
const afterFailure = 10_000;
/** For each answer of an identity provider. Seconds. */
const patience = 5;

/** What each issuer publishes of itself (OpenID Connect Discovery 1.0), kept for ten minutes; one out of reach is not asked again for ten seconds. */
export function createIssuers(
  all: readonly Issuer[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Issuers {
  const known = new Map<string, { readonly found: Promise<Configuration>; until: number }>();
  const discover = async ({ issuer, clientId, secret }: Issuer): Promise<Configuration> => {
    const { allowInsecureRequests, discovery, None, ClientSecretBasic, ClientSecretPost } = await oidc();
    const url = new URL(issuer);
    const insecure = url.protocol === 'http:' && isLoopback(url.hostname);
    const confidential: ClientAuth = (server, client, body, headers) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
      return authenticate(secret)(server, client, body, headers);
    };
    const found = await discovery(url, clientId, undefined, secret === undefined ? None() : confidential, {
      timeout: patience,
      ...(insecure ? { execute: [allowInsecureRequests] } : {}),
    });
    if (found.serverMetadata().issuer !== issuer) throw new Error('the metadata is of another issuer');
    return found;
  };
  return {
    all,
    configurationOf: async (issuer) => {
      let entry = known.get(issuer.issuer);
      if (entry === undefined || clock() >= entry.until) {
        entry = { found: discover(issuer), until: clock() + fresh };
        known.set(issuer.issuer, entry);
      }
      try {
        return await entry.found;
      } catch (err) {
        if (entry.until > clock() + afterFailure) {
          entry.until = clock() + afterFailure;
          log.warn(
            { issuer: issuer.issuer, err },
            'the metadata of an issuer cannot be read, so nobody can sign in with it',
          );
        }
        throw unreachable(err);
      }
    },
  };
}

export const unreachable = (cause: unknown): Error =>
  fail('unavailable', 'The identity provider cannot be reached at this moment: try again in a minute.', {
    headers: { 'retry-after': '10' },
    cause,
  });
