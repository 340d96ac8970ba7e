import { z } from 'zod';
import { ConfigError, isLoopback } from '@steward/kernel';

const trustworthy = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
};

const claim = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

const issuerSchema = z.strictObject({
  issuer: z.url(),
  jwksUri: z.url().refine(trustworthy, 'must be https, or on this machine'),
  /** The platform's own audiences at this issuer. A component's base URL is always accepted beside them. */
  audiences: z.array(z.string().min(1)).default([]),
  algorithms: z
    .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']))
    .min(1)
    .default(['RS256', 'ES256']),
  /** Require the `typ` header (RFC 9068: at+jwt). */
  tokenType: z.string().optional(),
  /** Put before every subject and agent id, so that two issuers cannot name the same person. */
  prefix: z
    .string()
    .regex(/^[\w.|-]{0,32}$/, 'is up to 32 letters, digits and . _ | -')
    .default(''),
  /**
   * Claims that must all hold for a token to be a person's. They replace the default evidence, which is one of
   * `auth_time`, `amr`, `sid`. A list means any of its values; `*` means any value; `scope` is compared scope by scope.
   */
  humanClaims: claim.optional(),
  /** Claims of which any makes the token a machine's, beside the built-in evidence. Written like `humanClaims`. */
  machineClaims: claim.default({}),
  /** Claim that binds a token to one tenant. */
  tenantClaim: z.string().default('tenant_id'),
  /** Scopes of a token that carries no `mcp:*` scope. */
  defaultScopes: z.array(z.string()).default([]),
  /** Claim that lists the roles of the subject at the platform (`mcp_internal`). */
  rolesClaim: z.string().default('roles'),
});

/** How one issuer's tokens are checked and read (contracts §3). */
export type IssuerConfig = z.infer<typeof issuerSchema>;

export function readIssuers(given: string): IssuerConfig[] {
  if (given === '') return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch {
    throw new ConfigError('ISSUERS must be a JSON array of issuers; the operator guide shows one.');
  }
  const result = z.array(issuerSchema).safeParse(parsed);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new ConfigError(`ISSUERS: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}.`);
  }
  const prefixes = new Set(result.data.map((issuer) => issuer.prefix));
  if (prefixes.size < result.data.length) {
    throw new ConfigError('ISSUERS: give each issuer its own `prefix`, or two people could have the same subject id.');
  }
  return result.data;
}
