import { fail, isLoopback, type Clock } from '@steward/kernel';
import type { IDToken } from 'openid-client';
import { places, type Place } from '../place.ts';
import type { AccessToken, Tokens } from '../sessions/session.ts';
import { oidc, unreachable, type Issuer, type Issuers } from './issuers.ts';

/** What a person grants by signing in. */
export interface Granted {
  readonly claims: IDToken;
  readonly access: Tokens;
  readonly refresh: string | undefined;
  readonly idToken: string | undefined;
}

/** What was begun, and comes back with the answer of the identity provider. */
export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Grants {
  /** Where a person signs in. @param fresh who must log in now, in order to decide: the identity provider is told whom it is to ask, where that is known */
  address(issuer: Issuer, begun: Begun, fresh: { readonly email?: string | undefined } | undefined): Promise<URL>;
  /**
   * Takes the answer of the identity provider: authorization code with PKCE, `state`, `nonce` and `iss` (RFC 9700 §2.1).
   * @throws Problem `unauthenticated` (401) with what went wrong; `unavailable` (503)
   */
  take(issuer: Issuer, answer: URL, begun: Begun, fresh: boolean): Promise<Granted>;
  /** A token for one address. @returns undefined where the grant has ended; @throws Problem `unavailable` (503) */
  renew(issuer: Issuer, refresh: string, place: Place): Promise<{ access: AccessToken; refresh: string } | undefined>;
  /** Tells the identity provider that nobody uses it any more. Best effort: whoever signs out need not wait for it. */
  revoke(issuer: Issuer, refresh: string): Promise<void>;
  /**
   * Where the browser goes so that the identity provider ends its session too, and leads back to a fixed address of ours; undefined where it
   * announces none. @throws Problem `unavailable` (503)
   */
  leave(issuer: Issuer, idToken: string | undefined): Promise<URL | undefined>;
}

export interface GrantPorts {
  readonly issuers: Issuers;
  readonly addresses: Readonly<Record<Place, string>>;
  /** To which identity providers lead back. */
  readonly redirect: string;
  /** Likewise, after signing out there. */
  readonly signedOut: string;
  readonly clock: Clock;
}

/** Seconds; deciding takes a login of the last 15 minutes, and some of them are for reading. */
const youngest = 600;
const longestHint = 4_000;
const known = 'openid email profile offline_access';
const decides = `${known} service:approvals:decide`;

export function createGrants({ issuers, addresses, redirect, signedOut, clock }: GrantPorts): Grants {
  const accessOf = (answer: { access_token: string; expiresIn(): number | undefined }): AccessToken => ({
    token: answer.access_token,
    until: clock() + (answer.expiresIn() ?? 300) * 1000,
  });
  const renew: Grants['renew'] = async (issuer, refresh, place) => {
    const configuration = await issuers.configurationOf(issuer);
    const { refreshTokenGrant } = await oidc();
    try {
      const answer = await refreshTokenGrant(configuration, refresh, { resource: addresses[place] });
      return { access: accessOf(answer), refresh: answer.refresh_token ?? refresh };
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw unreachable(error);
    }
  };
  return {
    address: async (issuer, begun, fresh) => {
      const configuration = await issuers.configurationOf(issuer);
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await oidc();
      const wishes = new URLSearchParams({
        redirect_uri: redirect,
        scope: fresh === undefined ? known : decides,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
        ...(issuer.audience === undefined ? {} : { audience: issuer.audience }),
        ...(fresh === undefined ? {} : { prompt: 'login', max_age: String(youngest) }),
        ...(fresh?.email === undefined ? {} : { login_hint: fresh.email }),
      });
      for (const place of places) wishes.append('resource', addresses[place]);
      return buildAuthorizationUrl(configuration, wishes);
    },
    take: async (issuer, answer, begun, fresh) => {
      const configuration = await issuers.configurationOf(issuer);
      const { authorizationCodeGrant } = await oidc();
      try {
        const first = await authorizationCodeGrant(
          configuration,
          answer,
          {
            expectedState: begun.state,
            expectedNonce: begun.nonce,
            pkceCodeVerifier: begun.verifier,
            idTokenExpected: true,
            ...(fresh ? { maxAge: youngest } : {}),
          },
          { resource: addresses.portal },
        );
        const claims = first.claims();
        if (claims === undefined) throw new Error('no ID token');
        return { claims, access: { portal: accessOf(first) }, refresh: first.refresh_token, idToken: first.id_token };
      } catch (error) {
        if (isUnreachable(error)) throw unreachable(error);
        throw fail('unauthenticated', 'The identity provider did not complete the sign-in: try again.', {
          cause: error,
        });
      }
    },
    renew,
    revoke: async (issuer, refresh) => {
      const configuration = await issuers.configurationOf(issuer);
      const { tokenRevocation } = await oidc();
      if (configuration.serverMetadata().revocation_endpoint !== undefined)
        await tokenRevocation(configuration, refresh);
    },
    leave: async (issuer, idToken) => {
      const configuration = await issuers.configurationOf(issuer);
      const { buildEndSessionUrl } = await oidc();
      const announced = URL.parse(configuration.serverMetadata().end_session_endpoint ?? '');
      const { protocol, hostname } = announced ?? {};
      if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname ?? ''))) return undefined;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: signedOut,
        // An address that is too long would not arrive.
        ...(idToken === undefined || idToken.length > longestHint ? {} : { id_token_hint: idToken }),
      });
    },
  };
}

/** The identity provider answered that the grant counts no more (RFC 6749 §5.2). */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'error' in error && (error.error === 'invalid_grant' || error.error === 'invalid_target');

/** Nothing answered, or not in time. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && 'code' in error && error.code === 'OAUTH_TIMEOUT');
