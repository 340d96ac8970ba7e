import { isId, trimEnd } from '@steward/kernel';
import { pillars, type Pillar } from '../catalogue/tool.ts';
import type { View } from '../visibility/visible.ts';

/** One of the addresses of the tool endpoint; each is a protected resource of its own (RFC 9728). */
export interface Address {
  readonly url: string;
  /** The tenant the address binds: `…/t/{tenant_id}`. */
  readonly tenant: string | undefined;
  /** `…/p/{pillar}`, or the core of all. */
  readonly view: View;
  /** Resources whose tokens open it (RFC 8707): itself and the endpoint it belongs to. */
  readonly audiences: readonly string[];
  readonly metadataUrl: string;
}

export type Place =
  | { readonly kind: 'endpoint' | 'manifest'; readonly address: Address }
  | { readonly kind: 'retired' };

export const wellKnown = '/.well-known/oauth-protected-resource';

const retired: Place = { kind: 'retired' };

/** Reads the path of a request under a base address: `[/t/{tenant_id}][/p/{pillar}][/manifest]`, `/sse`, `/messages`. */
export function addressing(base: string, endpoint: string): (path: string) => Place | undefined {
  const { origin, pathname } = new URL(base);
  const prefix = trimEnd(pathname, '/');
  const addressOf = (tenant: string | undefined, pillar: Pillar | undefined): Address => {
    const suffix = `${tenant === undefined ? '' : `/t/${tenant}`}${pillar === undefined ? '' : `/p/${pillar}`}`;
    const url = `${base}${suffix}`;
    return {
      url,
      tenant,
      view: pillar ?? 'core',
      audiences: [...new Set([url, base, endpoint])],
      metadataUrl: `${origin}${wellKnown}${prefix}${suffix}`,
    };
  };
  const root: Place = { kind: 'endpoint', address: addressOf(undefined, undefined) };
  const route = /^(?:\/t\/([^/]+))?(?:\/p\/([^/]+))?(\/manifest)?$/;

  return (path) => {
    if (!path.startsWith(prefix)) return undefined;
    const rest = path.slice(prefix.length);
    if (rest === '' || rest === '/') return root;
    if (/^\/(?:sse|messages)(?:\/|$)/.test(rest)) return retired;
    const [whole, tenant, pillar, manifest] = route.exec(rest.replace(/\/$/, '')) ?? [];
    if (whole === undefined || (tenant !== undefined && !isId(tenant))) return undefined;
    const known = pillars.find((one) => one === pillar);
    if (pillar !== undefined && known === undefined) return undefined;
    return { kind: manifest === undefined ? 'endpoint' : 'manifest', address: addressOf(tenant, known) };
  };
}

/** The path of a request target, without its query. */
export const pathOf = (target: string): string => {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
};
