import type { Caller } from '@steward/identity';
import type { TenantStanding } from '../catalogue/standing.ts';
import { pillars, type Surface, type Tool } from '../catalogue/tool.ts';
import { inView, type View } from '../catalogue/view.ts';

/** As much of a tool as decides who sees it. */
export type Offered = Pick<
  Tool,
  'name' | 'pillar' | 'area' | 'rare' | 'kind' | 'tier' | 'core' | 'everywhere' | 'surfaces' | 'requires' | 'personas'
>;

export interface Viewer {
  readonly surface: Surface;
  readonly view: View;
  readonly scopes: Caller['scopes'];
  /** Undefined: no tenant is named, so that nobody's standing is known. */
  readonly standing: TenantStanding | undefined;
}

/**
 * Whether a caller sees a tool, and so may call it: surface ∧ address ∧ tenant policy ∧ role ∧ entitlements ∧ scopes ∧
 * grant ∧ persona (contracts §4). The one decision behind `tools/list`, `tools/call` and the manifest.
 */
export function visible(tool: Offered, { surface, view, scopes, standing }: Viewer): boolean {
  if (!tool.surfaces.includes(surface)) return false;
  if (standing === undefined) return tool.kind === 'bootstrap';
  if (surface === 'public' && !inView(tool, view)) return false;
  if (tool.kind === 'bootstrap') return true;
  return (
    !standing.deniedTools.has(tool.name) &&
    roleAdmits(tool, standing, surface) &&
    standing.entitlements.has(tool.requires.entitlement) &&
    scopesAdmit(tool, scopes, surface) &&
    grantAdmits(tool, standing.grant) &&
    (tool.personas.length === 0 || tool.personas.includes(standing.persona))
  );
}

/** A platform caller's standing counts on the internal surface alone. */
export function roleAdmits(tool: Offered, { role }: TenantStanding, surface: Surface): boolean {
  return role === 'platform' ? surface === 'internal' : tool.requires.roles.includes(role);
}

const tierScopes = ['mcp:read', 'mcp:write'] as const;
const pillarScopes = pillars.map((pillar) => `mcp:${pillar}`);

/**
 * Tier scopes narrow tiers and pillar scopes pillars, each where any is present. None at all opens nothing, but for
 * platform callers, whose credential for the internal surface is of another kind.
 */
export function scopesAdmit(tool: Offered, scopes: Caller['scopes'], surface: Surface): boolean {
  const tiers = tierScopes.some((scope) => scopes.has(scope));
  const some = pillarScopes.some((scope) => scopes.has(scope));
  if (!tiers && !some) return surface === 'internal';
  return (
    (!tiers || scopes.has(tool.tier === 'read' ? 'mcp:read' : 'mcp:write')) &&
    (!some || tool.everywhere === true || scopes.has(`mcp:${tool.pillar}`))
  );
}

/** Whether what the owner granted an agent, where anything, covers a tool. */
export function grantAdmits(tool: Offered, grant: TenantStanding['grant']): boolean {
  return (
    grant === undefined ||
    ((tool.everywhere === true || (grant.pillars?.includes(tool.pillar) ?? true)) &&
      (grant.tiers?.includes(tool.tier) ?? true) &&
      (grant.kinds?.includes(tool.kind) ?? true) &&
      (grant.tools?.includes(tool.name) ?? true))
  );
}
