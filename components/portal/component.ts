import type { Caller, Role, ReadAccessProfile } from '@steward/access';
import type { Receiver } from '@steward/callbacks';
import type { Route } from '@steward/contract';
import { openTenant } from '@steward/identity';
import { newId, type Deferred, type Log, type PrincipalRef, type Scope } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { sql } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import { createStripe } from './billing/provider.ts';
import { billingReceiver } from './billing/receiver.ts';
import { billingPage, billingPath, billingRoutes } from './billing/routes.ts';
import { brandRoutes } from './brands/routes.ts';
import type { Approving, PortalPorts } from './door.ts';
import { grantRoutes } from './grants/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { invitationRoutes, personGuard } from './invitations/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { appointingTools } from './members/tools.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { policyRoutes } from './policy/routes.ts';
import { signupRoutes } from './signup/routes.ts';
import { suspensionRoutes } from './suspensions/routes.ts';
import { createSeen } from './access-profile/seen.ts';
import { readAccessProfile } from './access-profile/access-profile.ts';
import { createMeter, type Meter, type MeterPorts } from './quotas/meter.ts';
import { quotasOf } from './quotas/tiers.ts';
import { portalTools } from './tools.ts';

export const name = 'portal';
export { portalNouns as nouns } from './nouns.ts';
export { finders } from './finders.ts';
export { portalSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { portalFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export const tools: readonly Tool<PortalPorts>[] = [...portalTools, ...appointingTools];
export type { Approving } from './door.ts';
export { changeTier } from './billing/change-tier.ts';
export type { ProvisionStep } from './signup/provision.ts';
export type { CloseBrand } from './brands/archive.ts';
export { brandIn, brandLinks, brandName } from './brands/named.ts';
export type { BrandLinks } from './brands/brand.ts';
export { createMeter, type Meter } from './quotas/meter.ts';
export { quotasOf, type Quotas } from './quotas/tiers.ts';
export { recorded } from './recorded.ts';
export { allTenants } from './organizations/all.ts';
export { listTenants } from './organizations/list.ts';
export { readOrganization } from './organizations/read.ts';

export interface Portal {
  readonly serves: readonly [
    { readonly at: 'portal'; readonly routes: readonly Route[]; register(scope: Scope): void },
  ];
  /** What the platform's payment provider calls. */
  readonly receivers: readonly Receiver[];
  /** Decides with membership, grants, policy, billing and persona; answers at once where nothing has changed. */
  readonly accessProfile: ReadAccessProfile;
  /** Empty where there is no such tenant. */
  nameOf(tenant: string): Promise<string>;
  /** The organizations of a caller's subject; a token that is bound to one tenant sees only that one. */
  organizationsOf(
    caller: Pick<Caller, 'subject' | 'tenantClaim'>,
  ): Promise<{ tenant: string; name: string; role: Role }[]>;
}

/** What the portal is given; it makes the rest of its ports of it. */
export interface PortalNeeds extends Omit<
  PortalPorts,
  'clientsSeen' | 'usage' | 'toolNames' | 'withdrawAll' | 'endRules' | 'approvals'
> {
  readonly toolCatalogue: Catalogue;
  readonly counters: MeterPorts['counters'];
  readonly makeRoom: MeterPorts['makeRoom'];
  /** What a tier lets a tenant keep; the product's own numbers where it is left out. */
  readonly quotasOf?: MeterPorts['quotasOf'] | undefined;
  readonly log: Log;
  readonly awaited: {
    readonly meter: Deferred<Pick<Meter, 'spend'>>;
    readonly approvals: Deferred<Approving>;
  };
}

const platform = { type: 'system', id: 'platform' } as const;

export function create({ toolCatalogue, awaited, counters, makeRoom, log, ...needs }: PortalNeeds): Portal {
  const { identity, addresses, tenancy, clock, config } = needs;
  const meter = createMeter({
    quotasOf: needs.quotasOf ?? quotasOf,
    plans: config.plans,
    counters,
    ceilings: config.ceilings,
    makeRoom,
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
  awaited.meter.give(meter);
  identity.heed((tenant) => meter.forget(tenant));
  const seen = createSeen(tenancy.pool, log);
  const ports: PortalPorts = {
    ...needs,
    clientsSeen: seen.settled,
    usage: async (tenant) => meter.usage(tenant),
    toolNames: toolCatalogue.names,
    withdrawAll: async (tx, judge) => awaited.approvals.given.withdrawAll(tx, judge),
    endRules: async (tx, left) => awaited.approvals.given.endRules(tx, left),
    approvals: {
      names: async (tx, action) => awaited.approvals.given.names(tx, action),
      refusedAlone: async (context, tool) => awaited.approvals.given.refusedAlone(context, tool),
    },
  };
  toolCatalogue.bind(tools, ports);
  const member = identity.person(addresses.portal);
  // What a tool does, agents do here too, as far as the tool would let them.
  const agents = identity.tenant(addresses.portal);
  const namesOf = async (tenants: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const names = await tenancy.pool.read<{ tenant_id: string; name: string }>(
      sql`select tenant_id, name from portal.names_of(${[...tenants]}::uuid[])`,
    );
    return new Map(names.map((row) => [row.tenant_id, row.name]));
  };
  const organizationsOf: Portal['organizationsOf'] = async ({ subject, tenantClaim }) => {
    const held = await identity.memberships.tenantsOf(subject);
    const memberships = tenantClaim === undefined ? held : held.filter(({ tenant }) => tenant === tenantClaim);
    const names = await namesOf(memberships.map(({ tenant }) => tenant));
    return memberships.map(({ tenant, role }) => ({ tenant, role, name: names.get(tenant) ?? '' }));
  };
  const changed = async (tx: TenantTransaction): Promise<void> => identity.changed(tx);
  const provider = config.charging === undefined ? undefined : createStripe(config.charging, log);
  const routes = [
    ...signupRoutes({
      ...ports,
      owns: ownsTenant,
      provisioning: {
        ...ports,
        trialDays: config.signup.trialDays,
        join: async (tx, owner) => void (await identity.memberships.set(tx, owner, 'owner')),
      },
    }),
    ...organizationRoutes(ports, { member, agents }, organizationsOf),
    ...memberRoutes(ports, { member, agents }),
    ...invitationRoutes(ports, { member, agents }, personGuard(identity.bearer(addresses.portal))),
    ...grantRoutes(ports, member),
    ...suspensionRoutes(ports, member),
    ...integrationRoutes(ports, member),
    ...policyRoutes(ports, member),
    ...brandRoutes(ports, { member, agents }),
    ...billingRoutes({ plans: config.plans, changed, provider, returnTo: `${addresses.portal}${billingPath}` }, member),
  ];
  return {
    serves: [{ at: 'portal', routes, register: billingPage }],
    receivers: [
      billingReceiver({
        pool: tenancy.pool,
        charging: config.charging,
        provider,
        plans: config.plans,
        changed,
      }),
    ],
    accessProfile: identity.cached(
      async (caller, tenant) =>
        readAccessProfile(tenancy.pool, seen, clock, ports.config.plans, ports.decider.decidesThrough, caller, tenant),
      (profile) => profile.validUntil,
    ),
    nameOf: async (tenant) => (await namesOf([tenant])).get(tenant) ?? '',
    organizationsOf,
  };
}

async function ownsTenant(tx: TenantTransaction, subject: PrincipalRef): Promise<boolean> {
  const [row] = await tx.query<{ role: string | null }>(openTenant(tx.context.tenant, subject));
  return row?.role === 'owner';
}
