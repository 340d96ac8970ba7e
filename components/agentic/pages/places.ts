import { arrivalOf, type Request } from '@steward/kernel';
import type { Protocol } from '../words.ts';

/** Where a brand is, by the address that was asked for. */
export interface Places {
  /** The address that these pages stand under. */
  readonly at: string;
  readonly doors: Readonly<Record<Protocol, { readonly endpoint: string; readonly discovery: string }>>;
}

export function placesOf(raw: Request['raw'], commerce: string, brandId: string): Places {
  const arrival = arrivalOf(raw);
  const endpointOf = (protocol: Protocol): string =>
    arrival === undefined ? `${commerce}/${protocol}/${brandId}` : `${arrival.origin}/${protocol}`;
  const doorOf = (protocol: Protocol, document: string) => {
    const endpoint = endpointOf(protocol);
    return { endpoint, discovery: `${arrival?.origin ?? endpoint}/.well-known/${document}` };
  };
  return {
    at: arrival?.origin ?? `${commerce}/agentic/${brandId}`,
    doors: { ucp: doorOf('ucp', 'ucp'), acp: doorOf('acp', 'acp.json') },
  };
}
