import type { IssuerConfig } from '../token/issuers.ts';

/** How tokens of the development identity provider are checked. Its audiences are base URLs alone (RFC 8707). */
export const developmentProfile = (issuer: string): IssuerConfig => ({
  issuer,
  jwksUri: `${issuer}/jwks`,
  audiences: [],
  algorithms: ['ES256'],
  tokenType: 'at+jwt',
  prefix: '',
  machineClaims: {},
  tenantClaim: 'tenant_id',
  defaultScopes: [],
  rolesClaim: 'roles',
});
