import { isId } from '@steward/kernel';
import { isPlace, type Place } from '../place.ts';

/** What a page of the console asks of the API. */
export interface Target {
  readonly place: Place;
  /** Undefined: of no organization. */
  readonly tenant: string | undefined;
  /** Behind the address of the place, with its query. */
  readonly path: string;
}

/** Characters of a path that mean themselves, and escapes of none that end a segment or climb. */
const plainPath = /^(?:[\w.~!$&'()*+,;=:@-]|%(?!2[eEfF]|5[cC]|00)[0-9a-fA-F]{2}|\/)*$/;

/**
 * `{place}/api/…` and `o/{tenant}/{place}/api/…`, and pictures of the catalogue, which a page of this origin shows from no other: nothing else is
 * forwarded, never the tool endpoint, a storefront, a page or what providers call.
 * @param rest of the address, behind `/console/api/`
 */
export function targetOf(rest: string): Target | undefined {
  const cut = rest.indexOf('?');
  const path = cut < 0 ? rest : rest.slice(0, cut);
  const query = cut < 0 ? '' : rest.slice(cut);
  if (!plainPath.test(path)) return undefined;
  const parts = path.split('/');
  const tenant = parts[0] === 'o' ? parts[1] : undefined;
  if (tenant !== undefined && !isId(tenant)) return undefined;
  const [place, ...inner] = parts.slice(tenant === undefined ? 0 : 2);
  const climbs = inner.some((part) => part === '.' || part === '..' || part === '');
  if (!isPlace(place) || climbs) return undefined;
  const graph = place === 'accounting' && inner.length === 1 && inner[0] === 'graphql' && tenant !== undefined;
  const picture = place === 'commerce' && inner.length === 2 && inner[0] === 'media';
  if (!graph && !picture && (inner[0] !== 'api' || inner.length < 2)) return undefined;
  return { place, tenant, path: `/${inner.join('/')}${query}` };
}

/** Whether the answer lasts as long as somebody listens, by whatever spelling of its address. */
export const isStream = ({ place, path }: Target): boolean =>
  place === 'portal' && decodeURIComponent(path.split('?')[0] ?? '') === '/api/events/stream';
