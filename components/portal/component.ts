import type { Route } from '@steward/contract';
import { enter, type Caller } from '@steward/identity';
import type { PrincipalRef, Role } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { sql } from '@steward/sql';
import type { StandingSource, Tool } from '@steward/tools';
import { brandRoutes } from './brands/routes.ts';
import type { PortalPorts } from './door.ts';
import { grantRoutes } from './grants/routes.ts';
import { invitationRoutes, personGuard } from './invitations/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { appointingTools } from './members/tools.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { policyRoutes } from './policy/routes.ts';
import { signupRoutes } from './signup/routes.ts';
import { suspensionRoutes } from './suspensions/routes.ts';
import { standingOf } from './standing/standing.ts';
import { portalTools } from './tools.ts';

export const name = 'portal';
export { portalNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { portalFail as errors } from './errors.ts';
export { portalGrammar as grammar } from './grammar.ts';
export type { PortalPorts } from './door.ts';
export { changeTier } from './billing/change-tier.ts';
export type { ProvisionStep } from './signup/provision.ts';
export { brandIn } from './brands/named.ts';
export { createMeter, type Meter } from './quotas/meter.ts';
export { quotasOf, type Quotas } from './quotas/tiers.ts';
export { recorded } from './recorded.ts';
export { allTenants } from './organizations/all.ts';
export { readOrganization } from './organizations/read.ts';

export interface Portal {
  readonly routes: readonly Route[];
  readonly tools: readonly Tool[];
  /** Decides with membership, grants, policy, billing and persona; answers at once where nothing has changed. */
  readonly standing: StandingSource;
  /** The organizations a caller's subject belongs to; a token that is bound to one tenant knows of no other. */
  organizationsOf(
    caller: Pick<Caller, 'subject' | 'tenantClaim'>,
  ): Promise<{ tenant: string; name: string; role: Role }[]>;
}

export function createPortal(ports: PortalPorts): Portal {
  const { identity, addresses, tenancy, clock } = ports;
  const member = identity.person(addresses.portal);
  // What a tool does, agents do here too, as far as the tool would let them.
  const agents = identity.tenant(addresses.portal);
  const organizationsOf: Portal['organizationsOf'] = async ({ subject, tenantClaim }) => {
    const held = await identity.memberships.tenantsOf(subject);
    const memberships = tenantClaim === undefined ? held : held.filter(({ tenant }) => tenant === tenantClaim);
    const names = await tenancy.pool.read<{ tenant_id: string; name: string }>(
      sql`select tenant_id, name from portal.names_of(${memberships.map(({ tenant }) => tenant)}::uuid[])`,
    );
    const byId = new Map(names.map((row) => [row.tenant_id, row.name]));
    return memberships.map(({ tenant, role }) => ({ tenant, role, name: byId.get(tenant) ?? '' }));
  };
  return {
    routes: [
      ...signupRoutes({
        ...ports,
        owns: ownsTenant,
        provisioning: {
          ...ports,
          join: async (tx, owner) => void (await identity.memberships.set(tx, owner, 'owner')),
        },
      }),
      ...organizationRoutes(ports, { member, agents }, organizationsOf),
      ...memberRoutes(ports, { member, agents }),
      ...invitationRoutes(ports, { member, agents }, personGuard(identity.bearer(addresses.portal))),
      ...grantRoutes(ports, member),
      ...suspensionRoutes(ports, member),
      ...policyRoutes(ports, member),
      ...brandRoutes({ member, agents }),
    ],
    tools: [...portalTools(identity.changed), ...appointingTools(ports)],
    standing: identity.cached(
      async (caller, tenant) => standingOf(tenancy.pool, clock, ports.config.plans, caller, tenant),
      (standing) => standing.validUntil,
    ),
    organizationsOf,
  };
}

async function ownsTenant(tx: TenantTransaction, subject: PrincipalRef): Promise<boolean> {
  const [row] = await tx.query<{ role: string | null }>(enter(tx.context.tenant, subject));
  return row?.role === 'owner';
}
