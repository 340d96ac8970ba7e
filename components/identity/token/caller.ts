import type { Caller } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';
import type { IssuerConfig } from './issuers.ts';
import type { JWTPayload } from 'jose';
import { claimAt, textClaim, wordsClaim } from './claims.ts';
import { isHuman, isMachine } from './evidence.ts';
import { refused } from './refuse.ts';
import { serviceIdPrefix } from './service.ts';

/** Who acts with a person's token that names no client. */
const unknownAgent = 'unknown';

/** Reads what a verified token proves. `foreign`: prefixes of the other issuers, whose ids this one must not spell. */
export function callerOf(claims: JWTPayload, issuer: IssuerConfig, foreign: readonly string[]): Caller {
  const name = (id: string): string => nameIn(issuer.prefix, id, foreign);
  const machine = isMachine(claims, issuer);
  const actor = actorOf(claims);
  const subject: PrincipalRef = { type: machine ? 'service' : 'user', id: name(required(claims, 'sub')) };
  const clientId = clientOf(claims);
  // Who acts can always be named, so that it can be granted something and shut out: a machine by itself, anybody else as unknown.
  const agentId = name(actor ?? clientId ?? (machine ? required(claims, 'sub') : unknownAgent));
  const principal: PrincipalRef = actor === undefined ? subject : { type: 'agent', id: name(actor) };
  return {
    principal,
    subject,
    agentId,
    chain: actor === undefined ? [subject] : [subject, principal],
    human: isHuman(claims, issuer),
    service: false,
    displayName: textClaim(claims, 'name', 200) ?? textClaim(claims, 'preferred_username', 200),
    // An address that its issuer says nobody has proved is not theirs.
    email: claims['email_verified'] === false ? undefined : textClaim(claims, 'email', 320),
    ...scopesOf(claims, issuer),
    platformRoles: new Set(wordsClaim(claimAt(claims, issuer.rolesClaim))),
    audiences: audiencesOf(claims),
    clientId,
    issuer: issuer.issuer,
    tenantClaim: textClaim(claims, issuer.tenantClaim),
    authTime: typeof claims['auth_time'] === 'number' ? claims['auth_time'] : undefined,
    expiresAt: Math.min(Number(claims.exp) * 1000, Number.MAX_SAFE_INTEGER),
  };
}

function required(claims: JWTPayload, name: string): string {
  const value = textClaim(claims, name);
  if (value === undefined) {
    throw refused(`The token's claim ${name} must be a string of 1 to 255 characters without control characters.`);
  }
  return value;
}

/**
 * The client that the token was issued to. Issuers name it by one claim or another; where they use several these agree.
 * @throws Problem `unauthenticated` (401)
 */
function clientOf(claims: JWTPayload): string | undefined {
  const given = ['client_id', 'azp', 'cid', 'appid'].filter((claim) => (claims[claim] ?? null) !== null);
  const [client, ...others] = new Set(given.map((claim) => required(claims, claim)));
  if (others.length > 0) throw refused('The token names two clients: client_id and azp must agree.');
  return client;
}

/** RFC 8693 §4.1: the outermost actor is the current one. */
function actorOf(claims: JWTPayload): string | undefined {
  const { act } = claims;
  if (act === undefined) return undefined;
  if (typeof act !== 'object' || act === null) throw refused("The token's claim act must be an object with a sub.");
  return required(act as JWTPayload, 'sub');
}

function nameIn(prefix: string, id: string, foreign: readonly string[]): string {
  const named = `${prefix}${id}`;
  const reserved = [serviceIdPrefix, ...foreign.filter((other) => other.length > prefix.length)];
  if (reserved.some((other) => named.startsWith(other))) {
    throw refused('The token names a subject that its issuer may not speak for.');
  }
  return named;
}

function scopesOf(claims: JWTPayload, issuer: IssuerConfig): Pick<Caller, 'scopes' | 'namesToolScopes'> {
  const scopes = [...wordsClaim(claims['scope']), ...wordsClaim(claims['scp'])];
  const namesToolScopes = scopes.some((scope) => scope.startsWith('mcp:'));
  return { scopes: new Set(namesToolScopes ? scopes : [...scopes, ...issuer.defaultScopes]), namesToolScopes };
}

/** Bare origins gain a slash in many clients (`URL.href`), so one trailing slash does not count. */
export const canonicalAudience = (audience: string): string => audience.replace(/\/$/, '');

function audiencesOf(claims: JWTPayload): string[] {
  const audiences = [claims.aud].flat().filter((audience) => typeof audience === 'string' && audience !== '');
  if (audiences.length === 0) throw refused('The token names no audience: get one from its issuer with a resource.');
  return audiences.map((audience) => canonicalAudience(audience as string));
}
