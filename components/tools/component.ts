import type { Caller, Role, Surface } from '@steward/access';
import { asAgent, type Identity } from '@steward/identity';
import type { Door } from '@steward/kernel';
import { createRequestStates } from './call/request-state.ts';
import type { OwnPorts, ToolsDeps } from './catalogue/ports.ts';
import type { Tool } from './catalogue/tool.ts';
import { addressOf } from './catalogue/view.ts';
import { crossOrigin } from './door/cross-origin.ts';
import { createEndpoint } from './door/endpoint.ts';
import { hostPolicy } from './door/hosts.ts';
import { metadataDoor } from './door/metadata.ts';
import { retiredDoors } from './door/retired.ts';
import { errors } from './errors.ts';
import type { ToolsSettings } from './settings.ts';
import { createMeter } from './meter.ts';
import { listOrgs } from './own/list-orgs.ts';
import { platformStatus } from './own/platform-status.ts';
import { setOrg } from './own/set-org.ts';
import { whoami } from './own/whoami.ts';
import type { ToolServer } from './rpc/request.ts';
import { createClasses } from './visibility/classes.ts';

export const name = 'tools';
export { toolsSettings as settings } from './settings.ts';
export const migrations = new URL('migrations/', import.meta.url);
export { errors } from './errors.ts';
/** Of no component but this one. */
export const tools: readonly Tool<OwnPorts>[] = [whoami, listOrgs, setOrg, platformStatus];
export { eraseAnswers } from './call/erase-answers.ts';
export { rehearsal } from './call/scope.ts';
export { within } from './call/within.ts';
export { canonicalJson, digest } from './call/canonical.ts';
export { createCatalogue, type Catalogue } from './catalogue/catalogue.ts';
export type { Command } from './catalogue/command.ts';
export { descriptionOf } from './catalogue/describe.ts';
export { nothingChanges, toolOf, under } from './catalogue/tool-of.ts';
export {
  tool,
  type ApprovalTraits,
  type Call,
  type Money,
  type Outcome,
  type Outflow,
  type Taken,
  type TenantCall,
  type Tool,
} from './catalogue/tool.ts';
/** JSON-RPC and MCP of both eras, for another door that has tools of its own. */
export { codes, errorMessage, ProtocolError } from './protocol/error.ts';
export { type Message, readMessage, RefusedMessage } from './protocol/message.ts';
export { checkModern, checkName, eraOf } from './protocol/modern.ts';
export { supportedRevisions } from './protocol/revisions.ts';
export { legacyOpening } from './rpc/open.ts';
export { createResults, type ServerInfo } from './rpc/result.ts';
export type { Noun, Unbound } from './catalogue/noun.ts';
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
  /** The endpoint, or an address below it, that lists a tool. */
  endpointOf(tool: string): string;
}

/** The tool endpoint over all components' tools (contracts §4). @throws TypeError for a tool that cannot be offered */
export function createTools(deps: ToolsDeps): ToolsComponent {
  const { mcp, mcpAlias } = deps.addresses;
  const { tools: offered, compiled: catalogue } = deps.toolCatalogue;
  deps.toolCatalogue.bind(tools, deps);
  const unapprovable = catalogue.find(({ tier }) => tier === 'approval' && deps.approvals === undefined);
  if (unapprovable !== undefined) throw new TypeError(`${unapprovable.name}: nobody is there to approve it`);
  const states = createRequestStates(deps.stateKey, deps.clock);
  const meter = createMeter(deps.metrics);
  const server = (surface: Surface): ToolServer => ({
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
  const addresses = new Map(offered.map((one) => [one.name, addressOf(one)]));
  const open = server('public');
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
      createEndpoint(server('internal'), {
        base: deps.internalAddress,
        endpoint: mcp,
        hosts: hostPolicy([deps.internalAddress], [], []),
        crossOrigin: crossOrigin([]),
        admit: admitPlatform,
      }),
    ],
    endpointOf: (tool) => `${mcp}${addresses.get(tool) ?? ''}`,
  };
}

/** What this component is given; it makes the rest of its ports of it. */
export interface ToolsNeeds extends Pick<
  ToolsDeps,
  | 'addresses'
  | 'approvals'
  | 'toolCatalogue'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'platformStatus'
  | 'recordDenied'
  | 'accessProfile'
  | 'version'
> {
  readonly config: ToolsSettings;
  readonly internalUrl: string;
  readonly identity: Identity;
  readonly issuers: readonly string[];
  readonly secret: Uint8Array;
  readonly organizationsOf: (
    caller: Pick<Caller, 'subject' | 'tenantClaim'>,
  ) => Promise<readonly { readonly tenant: string; readonly name: string; readonly role: Role }[]>;
}

export function create({
  config,
  internalUrl,
  identity,
  issuers,
  secret,
  organizationsOf,
  ...ports
}: ToolsNeeds): ToolsComponent {
  return createTools({
    ...ports,
    origins: config.mcpOrigins,
    internalAddress: `${internalUrl}/internal/mcp`,
    authenticate: identity.authenticate,
    authorizationServers: issuers,
    orgsOf: async (caller) => (await organizationsOf(caller)).map(({ tenant, ...rest }) => ({ id: tenant, ...rest })),
    contextFor: (caller, tenant, requestId) => identity.context(asAgent(caller), tenant, { requestId }),
    stateKey: secret,
  });
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
