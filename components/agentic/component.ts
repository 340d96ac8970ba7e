import type { Audit } from '@steward/audit';
import type { Consumer } from '@steward/bus';
import type { Route } from '@steward/contract';
import type { AgentRequests, Deliveries } from '@steward/deliveries';
import type { Identity, Integrations } from '@steward/identity';
import {
  type Addresses,
  type ClientAddress,
  type Deferred,
  type Log,
  type Metrics,
  newId,
  type RequestHandler,
} from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Tenancy, TenantContext, TenantScope, TenantTransaction } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import { madeCredentials } from './credentials/made.ts';
import { type AgentSale, type OrderTelling, orderTeller } from './agents/orders.ts';
import { createAgentRequests, type Refusal } from './agents/told.ts';
import { closeDoors } from './doors/close.ts';
import type { Links } from './doors/links.ts';
import { createDoors, type OpenDoor } from './doors/find.ts';
import { createHosts } from './hosts/find.ts';
import { createFront } from './hosts/front.ts';
import type { Holder } from './hosts/holder.ts';
import { lapseHost } from './hosts/lapse.ts';
import { addressesUnder, originAt } from './hosts/place.ts';
import { createTexts } from './hosts/records.ts';
import { createSigners, type Signers } from './keys/signer.ts';
import { pageRoutes } from './pages/routes.ts';
import { admitAgents } from './permissions.ts';
import type { AgenticPorts } from './ports.ts';
import { createProfiles } from './profiles/profiles.ts';
import { type AdmittedBearer, createBearerAdmission } from './proof/bearer.ts';
import { type AdmittedAgent, createAdmission } from './proof/admit.ts';
import type { Arrived } from './proof/arrived.ts';
import { createRefusals, type Refusals } from './proof/refusals.ts';
import { agenticRoutes } from './routes.ts';
import type { AgenticSettings } from './settings.ts';
import { agenticTools } from './tools.ts';
import type { Protocol } from './words.ts';

export const name = 'agentic';
export const tools: readonly Tool<AgenticPorts>[] = agenticTools;
export { agenticNouns as nouns } from './nouns.ts';
export { agenticSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { agenticFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export { type Agent, agentIn, byAgent, noAgent } from './agents/agent.ts';
export type { AgentSale, OrderTelling } from './agents/orders.ts';
export type { Refusal } from './agents/told.ts';
export type { AdmittedAgent } from './proof/admit.ts';
export { type Arrived, arrivedOf } from './proof/arrived.ts';
export { recordingWrites } from './proof/writes.ts';
export type { AdmittedBearer } from './proof/bearer.ts';
export { signedText } from './proof/bearer.ts';
export { answerMessage } from './mcp/message.ts';
export { badArguments, createAgentServer, type ToolAnswer, type ToolCall } from './mcp/server.ts';
export type { OpenDoor } from './doors/find.ts';
export { type Links, linksIn } from './doors/links.ts';
export { takes } from './pages/takes.ts';

export interface AgenticNeeds extends Pick<AgenticPorts, 'brandIn' | 'brandName' | 'secret' | 'decider'> {
  /** Pages of a brand that buyers are led to. */
  readonly brandLinks: (scope: Pick<TenantScope, 'context' | 'read'>, brandId: string) => Promise<Links>;
  readonly config: AgenticSettings;
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly audit: Pick<Audit, 'secrets'>;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly deliveries: Pick<Deliveries, 'tell' | 'aim'>;
  readonly awaited: { readonly agents: Deferred<AgentRequests> };
}

export interface Agentic extends Pick<Signers, 'sign' | 'keysOf'>, AsyncDisposable {
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
  readonly integrations: readonly Integrations[];
  /** Closes the doors of a brand that is archived. */
  closeBrand(tx: TenantTransaction, brandId: string): Promise<undefined>;
  /** Undefined: no brand of this id sells by this protocol. */
  doorOf(brandId: string, protocol: Protocol): Promise<OpenDoor | undefined>;
  /** What the brand is called; undefined: there is none any more. */
  nameOf(door: Pick<OpenDoor, 'tenant' | 'brandId'>): Promise<string | undefined>;
  /** Which brand has a host, where DNS said so. Not a promise when known. @throws Problem `unavailable` (503) */
  holderOf(host: string): Holder | undefined | Promise<Holder | undefined>;
  /** In front of every router: serves hosts of brands, and passes everything else on. */
  front(next: RequestHandler): RequestHandler;
  /** @throws Problem by the codes of the protocols: of the profile, the signature, or trust */
  admit(door: OpenDoor, arrived: Arrived, plain?: boolean): Promise<AdmittedAgent>;
  /**
   * The same by a key that the brand issued. @param body as JSON was read; undefined: none came
   * @throws Problem `unauthenticated`, `signature_missing`, `signature_invalid`, `signature_expired` (401), `profile_not_trusted` (403)
   */
  admitBearer(door: OpenDoor, arrived: Arrived, body: unknown): Promise<AdmittedBearer>;
  /** Notes in the log that something was refused to an agent that was let in. */
  noteRefusal: Refusals['note'];
  /** The door that an agent came to, as long as it is served there; else why not. At most a second old. */
  openTo(tenant: string, agentId: string): Promise<OpenDoor | Refusal>;
  /** Follows what becomes of orders, and has the agents that placed them told. */
  orderTeller<Sale extends AgentSale>(telling: OrderTelling<Sale>): Consumer;
  start(): void;
}

/** Its routes are served at commerce's address: `/api/brands/{brandId}/agentic-commerce` and others. */
export function create(needs: AgenticNeeds): Agentic {
  const {
    config,
    tenancy,
    identity,
    audit,
    addresses,
    toolCatalogue,
    limiter,
    clientAddress,
    log,
    metrics,
    brandIn,
    brandName,
    brandLinks,
    secret,
    decider,
    deliveries,
    awaited,
  } = needs;
  const itself = { type: 'system', id: 'agentic' } as const;
  const contextOf = (tenant: string): TenantContext => {
    const id = newId();
    return tenancy.systemContext({
      tenant,
      chain: [itself],
      subject: itself,
      caller: itself,
      requestId: id,
      correlationId: id,
    });
  };
  const doors = createDoors(tenancy.pool, async (tenant, brandId) => {
    const context = contextOf(tenant);
    return brandLinks({ context, read: context.require(admitAgents).read }, brandId);
  });
  const hosts = createHosts(tenancy.pool);
  const signers = createSigners({ contextOf, secrets: audit.secrets });
  const refusals = createRefusals({ contextOf, metrics, log });
  const admission = createAdmission({
    profiles: createProfiles({ loopback: config.agentProfilesFromLoopback }),
    plainProfiles: createProfiles({ loopback: true, plain: true }),
    refusals,
    contextOf,
  });
  const bearers = createBearerAdmission({ contextOf, refusals });
  const addressOf = addressesUnder(addresses.commerce);
  const requests = createAgentRequests({
    contextOf,
    doors,
    signers,
    profileOf: (brandId, host) =>
      `${host === undefined ? addressOf('ucp', brandId, host) : originAt(host, addresses.commerce)}/.well-known/ucp`,
  });
  awaited.agents.give(requests);
  const ports: AgenticPorts = {
    secret,
    secrets: audit.secrets,
    decider,
    brandIn,
    brandName,
    addressOf,
    ownHosts: new Set(Object.values(addresses).map((address) => new URL(address).hostname)),
    textsAt: createTexts(config.hostDnsServers),
    lapsed: (holder, host) => {
      ports.changed(holder.tenant);
      lapseHost(contextOf(holder.tenant), holder, host).catch((error: unknown) => {
        log.warn({ err: error, tenant: holder.tenant }, 'a brand was not told that another one has its host');
      });
    },
    aim: deliveries.aim,
    changed: (tenant) => {
      const kept = [doors.cache, hosts.cache, signers.cache, admission.cache, bearers.cache, requests.cache];
      for (const { forget } of kept) forget((one) => one.tenant === tenant);
    },
  };
  toolCatalogue.bind(tools, ports);
  return {
    integrations: [madeCredentials(ports)],
    closeBrand: async (tx, brandId) => closeDoors(tx, brandId, ports),
    serves: [
      {
        at: 'commerce',
        routes: [
          ...agenticRoutes(identity.tenant(addresses.commerce), ports),
          ...pageRoutes({ doors, contextOf, commerce: addresses.commerce, tenancy, limiter, clientAddress, brandName }),
        ],
      },
    ],
    doorOf: doors.find,
    nameOf: async ({ tenant, brandId }) => {
      const context = contextOf(tenant);
      return brandName({ context, read: context.require(admitAgents).read }, brandId);
    },
    holderOf: hosts.find,
    front: createFront({ find: hosts.find, own: ports.ownHosts, commerce: addresses.commerce, log }),
    admit: admission.admit,
    admitBearer: bearers.admit,
    sign: signers.sign,
    keysOf: signers.keysOf,
    openTo: requests.openTo,
    noteRefusal: refusals.note,
    orderTeller: (telling) => orderTeller(telling, deliveries),
    start: () => refusals.start(),
    [Symbol.asyncDispose]: async () => refusals.stop(),
  };
}
