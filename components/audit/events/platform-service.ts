import type { PrincipalRef } from '@steward/kernel';

/** A configured service token. Identity lets no issuer's subject spell this prefix. */
export const isPlatformService = ({ type, id }: PrincipalRef): boolean =>
  type === 'service' && id.startsWith('service:');
