import { isId, type Addresses } from '@steward/kernel';
import { canonicalAudience } from '../token/caller.ts';

export interface Resource {
  /** The audience of its tokens. */
  readonly audience: string;
  /** Bound by the address: `/t/{tenant}`. */
  readonly tenant: string | undefined;
}

const pillar = /^[a-z]{1,32}$/;

/**
 * What a resource indicator (RFC 8707) means: a component's base URL, or the tool endpoint's addresses for one tenant
 * and one pillar. One trailing slash does not count, since many clients add it to a bare origin.
 * @returns undefined for addresses that are none of ours
 */
export function resourceOf(indicator: string, addresses: Addresses): Resource | undefined {
  const audience = canonicalAudience(indicator);
  const { issuer: _issuer, ...bases } = addresses;
  if (Object.values(bases).includes(audience)) return { audience, tenant: undefined };
  for (const base of [addresses.mcp, addresses.mcpAlias]) {
    if (audience.startsWith(`${base}/`)) return bound(audience, audience.slice(base.length + 1).split('/'));
  }
  return undefined;
}

/** Whether a person's token for it is an assistant's, bound by all that binds assistants; anywhere else it is the person (docs/adr/0017). */
export const isForAssistants = (indicator: string, { mcp, mcpAlias }: Addresses): boolean =>
  [mcp, mcpAlias].some((base) => `${canonicalAudience(indicator)}/`.startsWith(`${base}/`));

/** `t/{tenant}`, `p/{pillar}` or `t/{tenant}/p/{pillar}` */
function bound(audience: string, parts: string[]): Resource | undefined {
  const tenant = parts[0] === 't' ? parts.splice(0, 2)[1] : undefined;
  const named = parts[0] === 'p' ? parts.splice(0, 2)[1] : undefined;
  if (parts.length > 0 || (tenant ?? named) === undefined) return undefined;
  if (tenant !== undefined && !isId(tenant)) return undefined;
  if (named !== undefined && !pillar.test(named)) return undefined;
  return { audience, tenant };
}
