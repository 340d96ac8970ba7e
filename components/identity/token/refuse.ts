import { fail, type Problem } from '@steward/kernel';
import { errors } from 'jose';

/** 401 for a token that was given and does not count. */
export const refused = (detail: string, cause?: unknown): Problem =>
  fail('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, cause });

/** 401 for a request without a bearer token. */
export const missing = (detail: string): Problem =>
  fail('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } });

/** What the holder of a token that `jose` refused can do about it. */
export function explain(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired; get a new one.';
  if (error instanceof errors.JWTClaimValidationFailed) return claimFault(error.claim);
  if (error instanceof errors.JWSSignatureVerificationFailed) return "The token's signature does not verify.";
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token is signed with a key its issuer does not publish.';
  if (error instanceof errors.JOSEAlgNotAllowed) return "The token's algorithm is not accepted from its issuer.";
  return 'The token is not an acceptable JWT.';
}

function claimFault(claim: string): string {
  switch (claim) {
    case 'nbf':
      return 'The token is not valid yet; check the clocks.';
    case 'iss':
      return 'The token is not from an accepted issuer.';
    case 'typ':
      return 'The token is of another type; send an access token.';
    default:
      return `The token's claim ${claim} is missing or not acceptable.`;
  }
}
