import { fail, type Problem } from '@steward/kernel';
import { isBound, type Caller } from './caller.ts';
import { errors } from './errors.ts';
import { pillars, type Operation, type Surface } from './operation.ts';
import type { AccessProfile } from './access-profile.ts';

/** Whom a decision is about: what the token says, and what the tenant has decided. */
export interface Viewer {
  readonly surface: Surface;
  readonly scopes: Caller['scopes'];
  /** Undefined: no tenant is named, so that nobody's profile is known. */
  readonly profile: AccessProfile | undefined;
}

/** Why somebody may not do something, the first cause that counts. */
export type Refusal = 'not_here' | 'shut_out' | 'role' | 'scope' | 'entitlement' | 'withheld';

/**
 * Why a caller that the tenant limits may not do something; undefined if it may: surface ∧ role ∧
 * entitlement ∧ scopes ∧ grant ∧ tenant policy ∧ persona (contracts §4). The one decision behind `tools/list`, `tools/call`,
 * the manifest, routes and fields.
 */
export function refusalOf(operation: Operation, { surface, scopes, profile }: Viewer): Refusal | undefined {
  if (!operation.surfaces.includes(surface)) return 'not_here';
  if (operation.kind === 'bootstrap') return undefined;
  if (profile === undefined) return 'not_here';
  if (isShutOut(profile)) return 'shut_out';
  if (!roleAdmits(operation, profile, surface)) return 'role';
  if (!scopesAdmit(operation, scopes, surface)) return 'scope';
  if (!entitles(operation, profile)) return 'entitlement';
  const withheld =
    profile.deniedTools.has(operation.name) ||
    !grantAdmits(operation, profile.grant) ||
    (operation.personas.length > 0 && !operation.personas.includes(profile.persona));
  return withheld ? 'withheld' : undefined;
}

/** Nothing is left to it, though the person it acts for is a member. */
export const isShutOut = (held: AccessProfile | undefined): boolean => held?.grant?.tools?.length === 0;

/** What the tenant allows limits whoever is no person, and a person through a client that a grant narrows: an agent may hold such a token. */
export const isBoundUnder = (caller: Caller, held: AccessProfile | undefined): boolean =>
  isBound(caller) || (!caller.service && held?.grant?.bindsPeople === true);

/** A platform caller's access counts on the internal surface alone. */
function roleAdmits({ requires }: Operation, { role }: AccessProfile, surface: Surface): boolean {
  return role === 'platform' ? surface === 'internal' : requires.roles.has(role);
}

const tierScopes = ['mcp:read', 'mcp:write'] as const;
const pillarScopes = pillars.map((pillar) => `mcp:${pillar}`);

/**
 * Tier scopes narrow tiers and pillar scopes pillars, each where any is present. None at all opens nothing, but for
 * platform callers, whose credential for the internal surface is of another kind.
 */
export function scopesAdmit(operation: Operation, scopes: Caller['scopes'], surface: Surface): boolean {
  const someTier = tierScopes.some((scope) => scopes.has(scope));
  const somePillar = pillarScopes.some((scope) => scopes.has(scope));
  if (!someTier && !somePillar) return surface === 'internal';
  return (
    (!someTier || scopes.has(operation.tier === 'read' ? 'mcp:read' : 'mcp:write')) &&
    (!somePillar || operation.everywhere === true || scopes.has(`mcp:${operation.pillar}`))
  );
}

/** The tier is the tenant's: it holds people as well as what acts for them. */
export const entitles = ({ requires }: Operation, { entitlements }: AccessProfile): boolean =>
  entitlements.has(requires.entitlement);

/**
 * Whether what the owner granted an agent, where anything, covers an operation. A grant speaks of tools: what no tool does
 * is left to agents of whom it says nothing.
 */
export function grantAdmits(operation: Operation, grant: AccessProfile['grant']): boolean {
  if (grant === undefined) return true;
  if (operation.name === '') return Object.keys(grant).length === 0;
  return (
    (operation.everywhere === true || (grant.pillars?.includes(operation.pillar) ?? true)) &&
    (grant.tiers === undefined ||
      grant.tiers.includes(operation.tier) ||
      (operation.kind === 'command' && grant.tiers.includes('approval'))) &&
    (grant.kinds?.includes(operation.kind) ?? true) &&
    (grant.tools?.includes(operation.name) ?? true)
  );
}

/** Whether an agent proposes what others do at once, as its grant lets it propose and change nothing. What it proposed it withdraws itself. */
export const isOnlyProposed = (
  { kind, tier, everywhere }: Pick<Operation, 'kind' | 'tier' | 'everywhere'>,
  grant: AccessProfile['grant'],
): boolean =>
  kind === 'command' && tier === 'write' && everywhere !== true && grant?.tiers?.includes('write') === false;

/** A refusal in words. `mcp`: the tool endpoint, whose manifest shows what is left. */
export function presentRefusal(refusal: Refusal, operation: Operation, profile: AccessProfile, mcp: string): Problem {
  const what = whatOf(operation);
  if (refusal === 'shut_out') return shutOut();
  if (refusal === 'role')
    return fail('insufficient_role', `The role ${profile.role} does not permit ${what}: ask a member whose role does.`);
  if (refusal === 'scope') return insufficientScope(operation);
  if (refusal === 'entitlement') return notEntitled(operation, profile);
  return errors(
    'tool_denied',
    `The agent's grant, or the tenant's tool policy or persona, excludes ${what}: ${mcp}/manifest lists what you may ` +
      'use.',
  );
}

export const shutOut = (): Problem =>
  fail('tenant_forbidden', 'This agent was shut out of the tenant, or has no grant: an owner can grant it something.');

const whatOf = ({ name, tier }: Operation): string =>
  name === '' ? `${tier === 'read' ? 'reading' : 'writing'} this` : `the tool ${name}`;

export const notEntitled = (operation: Operation, { billingTier = 'of the organization' }: AccessProfile): Problem =>
  errors(
    'not_entitled',
    `The billing tier ${billingTier} does not include ${whatOf(operation)}. Existing data stays readable. An owner can ` +
      'subscribe to another tier, where GET /api/billing offers one, or ask the operator to change it.',
  );

export const insufficientScope = ({ tier, pillar }: Pick<Operation, 'tier' | 'pillar'>): Problem =>
  lacking(tier, `and mcp:${pillar} if the token names any pillar`);

/** What people alone do is of no pillar: a token that names some opens none of it. @throws Problem `insufficient_scope` */
export function requireTier({ scopes, namesToolScopes }: Caller, tier: 'read' | 'write'): void {
  const pillar = pillarScopes.some((one) => scopes.has(one));
  if (namesToolScopes && (pillar || !scopes.has(`mcp:${tier}`)))
    throw lacking(tier, 'and a token that names no pillar, or none of the scopes mcp:…');
}

function lacking(tier: Operation['tier'], also: string): Problem {
  const scope = tier === 'read' ? 'mcp:read' : 'mcp:write';
  const headers = { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
  return fail('insufficient_scope', `This needs a token with the scope ${scope}, ${also}.`, { headers });
}
