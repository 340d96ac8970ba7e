import { isId, trimEnd } from '@steward/kernel';
import { narrowed, type View } from '../catalogue/view.ts';

/** One of the addresses of the tool endpoint; each is a protected resource of its own (RFC 9728). */
export interface Address {
  readonly url: string;
  /** The tenant the address binds: `…/t/{tenant_id}`. */
  readonly tenant: string | undefined;
  /** `…/p/{pillar}[/{area}]`, or the core of all. */
  readonly view: View;
  /** Resources whose tokens open it (RFC 8707): itself, the addresses that it narrows, and the endpoint. */
  readonly audiences: readonly string[];
  readonly metadataUrl: string;
}

export type Place =
  | { readonly kind: 'endpoint' | 'manifest'; readonly address: Address }
  | { readonly kind: 'retired' };

export const wellKnown = '/.well-known/oauth-protected-resource';

const retired: Place = { kind: 'retired' };

/** Reads the path of a request under a base address: `[/t/{tenant_id}][/p/{pillar}[/{area}]][/manifest]`, `/sse`, `/messages`. */
export function addressing(base: string, endpoint: string): (path: string) => Place | undefined {
  const { origin, pathname } = new URL(base);
  const prefix = trimEnd(pathname, '/');
  const addressOf = (tenant: string | undefined, view: View): Address => {
    const bound = tenant === undefined ? '' : `/t/${tenant}`;
    const [pillar = '', area] = view === 'core' ? [] : view.split('/');
    const suffix = `${bound}${view === 'core' ? '' : `/p/${view}`}`;
    const url = `${base}${suffix}`;
    const narrows = [...(area === undefined ? [] : [`${base}${bound}/p/${pillar}`]), `${base}${bound}`];
    return {
      url,
      tenant,
      view,
      audiences: [...new Set([url, ...narrows, base, endpoint])],
      metadataUrl: `${origin}${wellKnown}${prefix}${suffix}`,
    };
  };
  const root: Place = { kind: 'endpoint', address: addressOf(undefined, 'core') };
  const route = /^(?:\/t\/([^/]+))?(?:\/p\/([^/]+(?:\/(?!manifest$)[^/]+)?))?(\/manifest)?$/;

  return (path) => {
    if (!path.startsWith(prefix)) return undefined;
    const rest = path.slice(prefix.length);
    if (rest === '' || rest === '/') return root;
    if (/^\/(?:sse|messages)(?:\/|$)/.test(rest)) return retired;
    const [whole, tenant, named, manifest] = route.exec(rest.replace(/\/$/, '')) ?? [];
    if (whole === undefined || (tenant !== undefined && !isId(tenant))) return undefined;
    const view = named === undefined ? 'core' : narrowed.find((one) => one === named);
    if (view === undefined) return undefined;
    return { kind: manifest === undefined ? 'endpoint' : 'manifest', address: addressOf(tenant, view) };
  };
}

/** The path of a request target, without its query. */
export const pathOf = (target: string): string => {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
};
