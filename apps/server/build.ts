import { readFileSync } from 'node:fs';
import * as accounting from '@steward/accounting';
import { createApprovals, discovering, requireDecider, type SignIn } from '@steward/approvals';
import { createAudit, openTarget, readChain } from '@steward/audit';
import { createBus, type Consumer } from '@steward/bus';
import type { Route } from '@steward/contract';
import * as commerce from '@steward/commerce';
import * as crm from '@steward/crm';
import { createGraph } from '@steward/graphql';
import { asAgent, callerOf, createIdentity, enter, nouns as identityNouns } from '@steward/identity';
import {
  clientAddressReader,
  createMetrics,
  fail,
  newId,
  systemClock,
  type Addresses,
  type Config,
  type Log,
} from '@steward/kernel';
import { addressDigest, createMail, smtpNotify } from '@steward/mail';
import * as portal from '@steward/portal';
import {
  createLimiter,
  createTenancy,
  createWall,
  openPool,
  type TenancyPorts,
  type TenantContext,
} from '@steward/sql';
import * as studio from '@steward/studio';
import { createTools } from '@steward/tools';
import { contactFields } from './contact-fields.ts';
import { admitting, admittingFields, doing, lettingIn } from './admitted.ts';
import { denialRecorder, recordingDenials } from './denied.ts';
import { grammars } from './grammars.ts';
import { readiness } from './health.ts';
import { submissionPageRoutes } from './pages/submissions.ts';
import { unbound } from './unbound.ts';

export interface Plan {
  readonly config: Config;
  readonly dataDir: string;
  readonly addresses: Addresses;
  readonly internalUrl: string;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly stateKey: Uint8Array;
  /** Whether the process was asked to stop. */
  readonly leaving: () => boolean;
  /** What a tier lets a tenant keep; the product's own numbers where it is left out. */
  readonly quotasOf?: typeof portal.quotasOf;
}

export type Components = ReturnType<typeof build>;

export const version = (
  JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Makes every component and hands each what it needs from the others. Nothing connects or listens yet. */
export function build(plan: Plan) {
  const { config, dataDir, addresses, log } = plan;
  const clock = systemClock;
  const metrics = createMetrics();
  const onError = (error: Error): void => log.warn({ because: error.message }, 'idle database connection lost');
  const sizes = poolSizes(config.databasePool);
  const pool = openPool({ url: plan.databaseUrl, size: sizes.requests, onError });

  const audit = createAudit({
    pool,
    log,
    metrics,
    dataDir,
    masterKeys: config.auditMasterKeys,
    openArchive: async () => openTarget(config.archive),
    signingKey: config.seal.signingKey,
    ...(config.seal.background ? { seal: config.seal } : {}),
    grammars,
    namesOf: async (principals, context) =>
      identity.memberships.names(
        context,
        principals.map(({ principalType: type, principalId: id }) => ({ type, id })),
      ),
  });
  const ports: Omit<TenancyPorts, 'pool'> = {
    enter,
    wall: createWall(plan.stateKey),
    spend: (tenant, what, amount) => meter.spend(tenant, what, amount),
    append: async (tx, events) => {
      await approvals.requireOutflow(tx, events, doing(tx.context));
      return audit.append(tx, events);
    },
    publish: async (tx, events) => bus.publish(tx, events),
    together: {
      append: (tx, events) => {
        if (events.some(({ type }) => type === accounting.posted))
          throw new TypeError('an entry is posted in a transaction of its tenant alone, where what it takes is judged');
        audit.appendTogether(tx, events);
      },
      publish: (tx, events) => bus.publishTogether(tx, events),
    },
  };
  const tenancy = createTenancy({ pool, ...ports });
  const platform = { type: 'system', id: 'platform' } as const;
  const meter = portal.createMeter({
    quotasOf: plan.quotasOf ?? portal.quotasOf,
    plans: config.plans,
    counters: {
      attachmentBytes: async (context) => ({ amount: await accounting.attachedBytes(context) }),
      submissions: async (context, before) => {
        const count = await commerce.countSubmissions(context, before as commerce.SubmissionCount | undefined);
        return { ...count, amount: count.settled + count.recent };
      },
      events: async (context) => ({ amount: (await readChain(context)).head?.sequence ?? 0 }),
    },
    mostSubmissions: config.storefront.submissions,
    within: (tenant) => {
      const id = newId();
      return tenancy.systemContext({
        tenant,
        chain: [platform],
        subject: platform,
        caller: platform,
        requestId: id,
        correlationId: id,
      });
    },
    clock,
    log,
  });
  /** Apart, so that no request waits for a connection that a slow handler holds. */
  const deliveries = openPool({ url: plan.databaseUrl, size: sizes.deliveries, onError });
  const probe = openPool({ url: plan.databaseUrl, size: 1, statementMilliseconds: 2_000, lasting: true, onError });
  /** Who follows what was announced; a component with a projection hands in its consumer here. */
  const links = studio.createLinks(plan.stateKey, addresses.studio, clock);
  const recipients: studio.RecipientPorts = {
    membersAmong: async (tx, given) => identity.memberships.mailedAmong(tx, given),
    toStrangers: config.notifications === 'any',
    links,
  };
  const consumers: readonly Consumer[] = [
    studio.submissionConsumer({
      readSubmission: async (tx, id) => (await commerce.readSubmission(tx, id))?.data,
      submissionPage: (id) => `${addresses.portal}/submissions/${id}`,
      submissionsPage: (formId) => `${addresses.portal}/submissions/forms/${formId}`,
      ...recipients,
    }),
  ];
  const bus = createBus({
    tenancy: createTenancy({ pool: deliveries, ...ports }),
    log,
    metrics,
    consumers,
    nats: config.bus,
  });
  const ready = readiness({ pool: probe, bus, leaving: plan.leaving });
  const identity = createIdentity({ config: { ...config, dataDir }, addresses, pool, tenancy, clock, log });
  const decider = (context: TenantContext): void => {
    const caller = callerOf(context);
    if (caller === undefined) throw fail('not_human');
    requireDecider({ approverClients: config.approverClients, clock, portal: addresses.portal }, caller);
  };
  /** Clients that people decide with, as agents are named after them: with their issuer's prefix. */
  const deciding = new Set(
    config.approverClients.map(({ issuer, clientId }) => {
      const profile = config.issuers.find((one) => issuer === undefined || one.issuer === issuer);
      return `${profile?.prefix ?? ''}${clientId}`;
    }),
  );
  /** A service token of the platform is no agent's. */
  const irrevocable = (context: TenantContext): TenantContext => {
    if (callerOf(context)?.service !== true) decider(context);
    return context;
  };
  const books = accounting.createAccounting({
    identity,
    addresses,
    secret: plan.stateKey,
    decider,
    contacts: { hold: crm.holdContact, byId: crm.contactsById, byEmail: crm.contactByEmail },
    organizationName: async (context) => (await portal.readOrganization(context)).name,
  });
  const clientAddress = clientAddressReader(config.trustedProxies);
  identity.heed((tenant) => meter.forget(tenant));
  const office = portal.createPortal({
    usage: async (tenant) => meter.usage(tenant),
    config,
    addresses,
    tenancy,
    identity,
    clock,
    clientAddress,
    decider,
    decidesThrough: (agentId) => deciding.has(agentId),
    withdrawAll: async (tx, judge) => approvals.withdrawAll(tx, judge),
    openChain: audit.provision,
    steps: [accounting.openBooks],
    toolNames: () => tools.names,
  });
  const mail = createMail({
    pool,
    smtp: config.mail,
    metrics,
    log,
    refused: async (refusal) => workshop.recipients.refused(refusal),
    unsubscribeAt: (tenant, address) => links.to('unsubscribe', { tenant, address: addressDigest(address) }),
  });
  const workshop = studio.createStudio({
    submissionPage: (id) => `${addresses.commerce}/api/submissions/${id}`,
    tenancy,
    log,
    secret: plan.stateKey,
    limits: config.studio,
    storefront: addresses.storefront,
    brandIn: portal.brandIn,
    recipients,
    contactFields,
  });
  const limiter = createLimiter({ url: config.limitsUrl, pool, log, metrics });
  const shop = commerce.createCommerce({
    tenancy,
    identity,
    addresses,
    clientAddress,
    storefront: workshop.storefront,
    limiter,
    limits: config.storefront,
    tellsContact: config.storefront.tellsContact,
    examplePage: !config.production,
    log,
    metrics,
  });
  const approvals = createApprovals({
    tenancy,
    identity,
    standing: office.standing,
    commands: () => tools.commands,
    taken: accounting.taken,
    worth: accounting.worth,
    nouns: [identityNouns, portal.nouns, accounting.nouns, crm.nouns, studio.nouns, commerce.nouns].flat(),
    unbound,
    secret: plan.stateKey,
    portal: addresses.portal,
    approverClients: config.approverClients,
    providers:
      config.issuers.length === 0
        ? async () => [developmentSignIn(addresses)]
        : discovering(config.issuers, { clock, log }),
    notify: config.mail === undefined ? undefined : smtpNotify(config.mail.url, config.mail.from),
    clock,
    log,
  });
  const tools = createTools({
    origins: config.mcpOrigins,
    addresses,
    internalAddress: `${plan.internalUrl}/internal/mcp`,
    version,
    catalogue: [
      ...office.tools,
      ...approvals.tools,
      ...books.tools,
      ...workshop.tools,
      ...shop.tools,
      ...crm.tools(accounting.partiesOf),
    ],
    authenticate: identity.authenticate,
    authorizationServers: issuersOf(config, addresses),
    standing: office.standing,
    orgsOf: async (caller) =>
      (await office.organizationsOf(caller)).map(({ tenant, ...rest }) => ({ id: tenant, ...rest })),
    contextFor: (caller, tenant, requestId) => identity.context(asAgent(caller), tenant, { requestId }),
    recordDenied: audit.recordDenied,
    platformStatus: ready,
    approvals: approvals.port,
    stateKey: plan.stateKey,
    metrics,
    log,
    clock,
  });
  const graph = createGraph({
    modules: [audit.graph, books.graph],
    admit: admittingFields(tools, denialRecorder(audit.recordDenied, 'graphql')),
    graphiql: !config.production,
    log,
  });
  const member = identity.tenant(addresses.accounting);
  const served = (...routes: readonly Route[]): readonly Route[] =>
    recordingDenials(admitting(routes, tools, denialRecorder(audit.recordDenied, 'rest')), audit.recordDenied);
  const routes: Readonly<Record<'portal' | 'accounting' | 'commerce' | 'studio', readonly Route[]>> = {
    portal: served(...office.routes, ...approvals.routes, ...submissionPageRoutes(identity.tenant(addresses.portal))),
    accounting: served(...books.routes, ...audit.routes(member, irrevocable)),
    commerce: served(...shop.routes, ...crm.routes(identity.tenant(addresses.commerce), accounting.partiesOf)),
    studio: served(...workshop.routes(identity.tenant(addresses.studio))),
  };
  return {
    metrics,
    ready,
    audit,
    bus,
    pools: [deliveries, pool, probe],
    identity,
    office,
    workshop,
    limiter,
    shop,
    approvals,
    mail,
    tools,
    graph,
    member: lettingIn(member, office.standing),
    routes,
  };
}

/** How a process divides its connections: one is for readiness, and no more than 12 follow events. */
function poolSizes(all: number): { readonly requests: number; readonly deliveries: number } {
  const deliveries = Math.min(12, Math.floor((all - 1) / 2));
  return { deliveries, requests: all - 1 - deliveries };
}

export const issuersOf = (config: Config, addresses: Addresses): string[] =>
  config.issuers.length > 0 ? config.issuers.map(({ issuer }) => issuer) : [addresses.issuer];

/** The development provider is ours: nobody need be asked where its endpoints are. */
const developmentSignIn = ({ issuer }: Addresses): SignIn => ({
  issuer,
  authorizationEndpoint: `${issuer}/authorize`,
  tokenEndpoint: `${issuer}/token`,
});
