import type { Caller } from '@steward/identity';
import type { Door } from '@steward/kernel';
import { createRequestStates } from './call/request-state.ts';
import { compileCatalogue } from './catalogue/catalogue.ts';
import { commandsOf, type Command } from './catalogue/command.ts';
import type { ToolsDeps } from './catalogue/ports.ts';
import type { Surface, Tool } from './catalogue/tool.ts';
import { crossOrigin } from './door/cross-origin.ts';
import { createEndpoint } from './door/endpoint.ts';
import { hostPolicy } from './door/hosts.ts';
import { metadataDoor } from './door/metadata.ts';
import { retiredDoors } from './door/retired.ts';
import { errors } from './errors.ts';
import { createMeter } from './meter.ts';
import { listOrgs } from './own/list-orgs.ts';
import { platformStatus } from './own/platform-status.ts';
import { setOrg } from './own/set-org.ts';
import { whoami } from './own/whoami.ts';
import type { Desk } from './rpc/desk.ts';
import { createAdmissions, type Admissions } from './visibility/admission.ts';
import { createClasses } from './visibility/classes.ts';

export const name = 'tools';
export const migrations = new URL('migrations/', import.meta.url);
export { errors } from './errors.ts';
export { eraseAnswers } from './call/erase-answers.ts';
export { within } from './call/within.ts';
export { canonicalJson, digest } from './call/canonical.ts';
export type { Command } from './catalogue/command.ts';
export { descriptionOf } from './catalogue/describe.ts';
export {
  pillars,
  tiers,
  tool,
  type ApprovalTraits,
  type Call,
  type Kind,
  type Money,
  type Outcome,
  type Outflow,
  type Pillar,
  type Surface,
  type Taken,
  type TenantCall,
  type Tier,
  type Tool,
} from './catalogue/tool.ts';
export type { Noun, Unbound } from './catalogue/noun.ts';
export { requireLetIn, type Admission } from './visibility/admission.ts';
export { grantAdmits, visible } from './visibility/visible.ts';
export type { StandingSource, TenantStanding } from './catalogue/standing.ts';
export type { ClientCapability, InputRequest, Question } from './catalogue/question.ts';
export type { FixtureResult, FixtureTool } from './catalogue/fixture.ts';
export type {
  ApprovalPort,
  Denial,
  Organization,
  PlatformStatus,
  Proposal,
  Proposed,
  ToolsDeps,
} from './catalogue/ports.ts';

export interface ToolsComponent {
  /** For the public listener: metadata, the retired addresses, the endpoint and its alias. The order matters. */
  readonly doors: readonly Door[];
  /** For the internal listener alone. */
  readonly internalDoors: readonly Door[];
  /** Every tool of the product, for its reference. */
  readonly catalogue: readonly Tool[];
  /** For every other door. @throws TypeError for an effect that names no tool */
  readonly admission: Admissions;
  /** Tools that a tenant's policy can switch off: all but those callable with no tenant. */
  readonly names: ReadonlySet<string>;
  /** Commands by name, for those who carry them out later. */
  readonly commands: ReadonlyMap<string, Command>;
}

/** The tool endpoint over all components' tools (contracts §4). @throws TypeError for a tool that cannot be offered */
export function createTools(deps: ToolsDeps): ToolsComponent {
  const { mcp, mcpAlias } = deps.addresses;
  const own = [whoami(deps.standing), listOrgs(deps.orgsOf), setOrg(deps), platformStatus(deps)];
  const offered = [...own, ...deps.catalogue];
  const catalogue = compileCatalogue(offered, deps.fixtures ?? []);
  const unapprovable = catalogue.find(({ tier }) => tier === 'approval' && deps.approvals === undefined);
  if (unapprovable !== undefined) throw new TypeError(`${unapprovable.name}: nobody is there to approve it`);
  const states = createRequestStates(deps.stateKey, deps.clock);
  const meter = createMeter(deps.metrics);
  const desk = (surface: Surface): Desk => ({
    deps,
    surface,
    classes: createClasses(catalogue, surface),
    states,
    meter,
  });
  const bases = [...new Set([mcp, mcpAlias])];
  const origins = [...new Set(bases.map((base) => new URL(base).origin))];
  const hosts = hostPolicy(bases, deps.hosts ?? [], deps.origins ?? []);
  const foreign = crossOrigin(deps.origins ?? []);
  const open = desk('public');
  return {
    doors: [
      ...origins.map((origin) =>
        metadataDoor(
          origin,
          bases.filter((base) => new URL(base).origin === origin),
          mcp,
          deps.authorizationServers,
        ),
      ),
      ...origins.flatMap(retiredDoors),
      ...bases.map((base) =>
        createEndpoint(open, { base, endpoint: mcp, hosts, crossOrigin: foreign, admit: () => undefined }),
      ),
    ],
    internalDoors: [
      createEndpoint(desk('internal'), {
        base: deps.internalAddress,
        endpoint: mcp,
        hosts: hostPolicy([deps.internalAddress], [], []),
        crossOrigin: crossOrigin([]),
        admit: admitPlatform,
      }),
    ],
    catalogue: offered,
    admission: createAdmissions(offered, deps),
    commands: commandsOf(catalogue),
    names: new Set(catalogue.filter(({ kind }) => kind !== 'bootstrap').map((tool) => tool.name)),
  };
}

/** The three credentials of the internal surface (interface, Authentication 2); nothing else opens it. */
function admitPlatform({ service, scopes, platformRoles }: Caller): void {
  if (service || scopes.has('service:mcp:internal') || scopes.has('mcp:internal') || platformRoles.has('mcp_internal'))
    return;
  throw errors(
    'internal_only',
    'Present a service token, the scope service:mcp:internal or mcp:internal, or the role mcp_internal.',
  );
}
