import type { OpenDoor } from '../doors/find.ts';
import type { Places } from './places.ts';

const specs = {
  ucp: { documentation: 'https://ucp.dev/', meta: 'application/json' },
  acp: { documentation: 'https://agenticcommerce.dev/', meta: 'application/json' },
} as const;

export const catalogPath = '/.well-known/api-catalog';

/** The interfaces of a brand, as a set of links (RFC 9727, RFC 9264). */
export function apiCatalog(doors: readonly Pick<OpenDoor, 'protocol'>[], { at, doors: places }: Places): object {
  return {
    linkset: [
      {
        anchor: `${at}${catalogPath}`,
        item: doors.map(({ protocol }) => ({ href: places[protocol].endpoint })),
      },
      ...doors.map(({ protocol }) => ({
        anchor: places[protocol].endpoint,
        'service-meta': [{ href: places[protocol].discovery, type: specs[protocol].meta }],
        'service-doc': [
          { href: specs[protocol].documentation, type: 'text/html' },
          { href: `${at}/llms.txt`, type: 'text/plain' },
        ],
      })),
    ],
  };
}
