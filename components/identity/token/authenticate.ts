import type { Caller } from '@steward/access';
import { Problem, type Clock, type Log } from '@steward/kernel';
import type { IssuerConfig } from './issuers.ts';
import { decodeJwt, jwtVerify, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { callerOf, canonicalAudience } from './caller.ts';
import { createKeys } from './keys.ts';
import { explain, missing, refused } from './refuse.ts';
import { serviceTokens } from './service.ts';
import { createVerifiedTokens, type Verified } from './verified.ts';

/** Seconds that two clocks may differ (contracts §3). */
const skew = 30;
const longestToken = 8_192;
const cacheCapacity = 10_000;

export interface AuthenticatorOptions {
  readonly issuers: readonly { readonly profile: IssuerConfig; readonly loadKeys: () => Promise<JSONWebKeySet> }[];
  readonly serviceTokens: readonly { readonly name: string; readonly sha256: string }[];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads an `Authorization` header. A token seen before is answered without a promise.
 * `audiences`: accepted beside the platform's own, as base URLs without a trailing slash.
 * @throws Problem `unauthenticated` (401); `unavailable` (503) when an issuer's keys cannot be read
 */
export type Authenticate = (
  authorization: string | undefined,
  audiences: readonly string[],
) => Caller | Promise<Caller>;

interface Issuer {
  readonly profile: IssuerConfig;
  readonly keys: JWTVerifyGetKey;
  readonly platform: ReadonlySet<string>;
  readonly foreign: readonly string[];
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { clock } = options;
  const verified = createVerifiedTokens(clock, cacheCapacity);
  const service = serviceTokens(options.serviceTokens);
  const issuers = new Map<string, Issuer>();
  for (const { profile, loadKeys } of options.issuers) {
    const others = options.issuers.filter((other) => other.profile !== profile);
    issuers.set(profile.issuer, {
      profile,
      // A key that is withdrawn takes the tokens with it that it signed.
      keys: createKeys({
        issuer: profile.issuer,
        load: loadKeys,
        clock,
        log: options.log,
        onChange: () => verified.clear(),
      }),
      platform: new Set(profile.audiences.map(canonicalAudience)),
      foreign: others.map((other) => other.profile.prefix),
    });
  }
  const verifyNew = async (authorization: string, token: string, audiences: readonly string[]): Promise<Caller> => {
    const found = await verify(token, issuers, clock());
    verified.set(authorization, found);
    return admit(found, audiences);
  };
  return (authorization, audiences) => {
    if (authorization === undefined) throw missing('Send Authorization: Bearer with an access token.');
    const known = verified.get(authorization);
    if (known !== undefined) return admit(known, audiences);
    const token = bearerToken(authorization);
    // One spelling in the cache, or one token could fill it under endlessly many.
    const canonical = `Bearer ${token}`;
    const same = canonical === authorization ? undefined : verified.get(canonical);
    if (same !== undefined) return admit(same, audiences);
    // Three parts are a JWT; a service token has no dots.
    if (token.includes('.')) return verifyNew(canonical, token, audiences);
    const caller = service(token);
    if (caller === undefined) throw refused('The token is neither a JWT nor a known service token.');
    return caller;
  };
}

function bearerToken(authorization: string): string {
  // RFC 9110 §11.4: one space or more.
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw missing('The Authorization header must read: Bearer, a space, the access token.');
  if (token.length > longestToken) throw refused(`The token is longer than ${longestToken} characters.`);
  return token;
}

function admit(found: Verified, audiences: readonly string[]): Caller {
  const { caller } = found;
  if (found.platform || caller.audiences.some((audience) => audiences.includes(audience))) return caller;
  throw refused(
    `The token is for another address: get one from its issuer with the resource ${audiences[0] ?? 'of this service'}.`,
  );
}

async function verify(token: string, issuers: ReadonlyMap<string, Issuer>, now: number): Promise<Verified> {
  try {
    const issuer = issuers.get(decodeJwt(token).iss ?? '');
    if (issuer === undefined) throw refused('The token is not from an accepted issuer.');
    const { profile } = issuer;
    const { payload } = await jwtVerify(token, issuer.keys, {
      issuer: profile.issuer,
      algorithms: profile.algorithms,
      clockTolerance: skew,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'aud', 'exp'],
      ...(profile.tokenType === undefined ? {} : { typ: profile.tokenType }),
    });
    const caller = callerOf(payload, profile, issuer.foreign);
    const platform = caller.audiences.some((audience) => issuer.platform.has(audience));
    return { caller, platform, until: caller.expiresAt + skew * 1000 };
  } catch (error) {
    // jose answers some hostile tokens with a TypeError: a key of another kind, a header that is no object.
    throw error instanceof Problem ? error : refused(explain(error), error);
  }
}
