import type { IssuerConfig } from './issuers.ts';
import type { JWTPayload } from 'jose';
import { matches, textClaim } from './claims.ts';

type Rules = Pick<IssuerConfig, 'humanClaims' | 'machineClaims'>;

/**
 * Whether any claim says that a program logged in as itself. Sources: RFC 9068 §2.2 and §5 (`sub` equal to the client),
 * Auth0 (`gty`, `…@clients`), Entra (`idtyp`, `oid` equal to `sub`), Okta (`cid` without `uid`), Keycloak
 * (`service-account-…`), Clerk (`mch_…`).
 */
export function isMachine(claims: JWTPayload, rules: Rules): boolean {
  const sub = claims.sub ?? '';
  return (
    ['client_id', 'azp', 'appid', 'cid', 'oid'].some((name) => claims[name] === sub) ||
    claims['gty'] === 'client-credentials' ||
    claims['idtyp'] === 'app' ||
    (Object.hasOwn(claims, 'cid') && !Object.hasOwn(claims, 'uid')) ||
    sub.endsWith('@clients') ||
    sub.startsWith('mch_') ||
    (textClaim(claims, 'preferred_username')?.startsWith('service-account-') ?? false) ||
    matches(claims, rules.machineClaims).includes(true)
  );
}

/** Whether the issuer vouches that a person logged in. Denied by default: no evidence, no person. */
export function isHuman(claims: JWTPayload, rules: Rules): boolean {
  if (claims['act'] !== undefined || isMachine(claims, rules)) return false;
  if (rules.humanClaims !== undefined) {
    const found = matches(claims, rules.humanClaims);
    return found.length > 0 && !found.includes(false);
  }
  const { auth_time: authTime, amr } = claims;
  return (
    (typeof authTime === 'number' && authTime > 0) ||
    (Array.isArray(amr) && amr.length > 0) ||
    textClaim(claims, 'sid') !== undefined
  );
}
