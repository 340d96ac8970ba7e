import { statement, type Statement } from '@steward/sql';
import type { Protocol } from '../words.ts';

/** The host at which agents find a brand: of several, the one that it claimed first. */
export const selectPlace = (tenant: string, brandId: string): Statement =>
  statement(
    `select h.host from agentic.host h where h.tenant_id = $1::uuid and h.brand_id = $2::uuid and h.standing = 'verified'
       and exists (select from agentic.holder_of_host(h.host) o where o.host_id = h.host_id) order by h.host_id limit 1`,
    [tenant, brandId],
  );

/** Public origin of a host of a brand: it is served as commerce is. */
export function originAt(host: string, commerce: string): string {
  const { protocol, port } = new URL(commerce);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** Where doors are, by protocol and brand, and by the host of the brand where it has one. */
export type AddressOf = (protocol: Protocol, brandId: string, host: string | undefined) => string;

export const addressesUnder =
  (commerce: string): AddressOf =>
  (protocol, brandId, host) =>
    host === undefined ? `${commerce}/${protocol}/${brandId}` : `${originAt(host, commerce)}/${protocol}`;
