import { AccessDecision, attribute, type Caller } from '@steward/access';
import { fail, type PrincipalRef } from '@steward/kernel';
import type { Tenancy, TenantContext } from '@steward/sql';

export interface RequestIds {
  readonly requestId: string;
  /** Shared across a wider workflow; the request id where none is known. */
  readonly correlationId?: string;
  /** The event that caused this call. */
  readonly causalId?: string;
}

/**
 * The one tenant of a request, from all places that may name it (header, address, argument) and the token's claim;
 * undefined when none does.
 * @throws Problem `tenant_mismatch` (400) when two places differ
 */
export function agreedTenant(caller: Caller, ...given: readonly (string | undefined)[]): string | undefined {
  let agreed = caller.tenantClaim;
  for (const tenant of given) {
    if (tenant === undefined || tenant === '') continue;
    if (agreed !== undefined && agreed !== tenant) {
      throw fail('tenant_mismatch', 'The request names two tenants: header, address, argument and token must agree.');
    }
    agreed = tenant;
  }
  return agreed;
}

/**
 * A caller in a tenant. Whether it has access there is decided in each round trip, by the database, and with it whether what was decided about
 * it before is still true.
 * @param forget drops what is cached of a tenant
 * @throws Problem `tenant_forbidden` (403) when `tenant` is no id
 */
export function contextFor(
  tenancy: Tenancy,
  forget: (tenant: string) => void,
  caller: Caller,
  tenant: string,
  ids: RequestIds,
): TenantContext {
  const context = tenancy.context({
    tenant,
    chain: caller.chain,
    subject: caller.subject,
    caller: caller.principal,
    ...(caller.principal.type === 'user' && caller.agentId !== undefined ? { client: caller.agentId } : {}),
    requestId: ids.requestId,
    correlationId: ids.correlationId ?? ids.requestId,
    ...(ids.causalId === undefined ? {} : { causalId: ids.causalId }),
    decision: new AccessDecision({
      forget: () => forget(tenant),
      renew: () => contextFor(tenancy, forget, caller, tenant, ids),
    }),
  });
  return attribute(context, caller);
}

/** The client that whatever this context does is done through: the agent or machine that acts, else the client of the person's token. */
export function clientOf({ client, chain }: Pick<TenantContext, 'client' | 'chain'>): string | undefined {
  const last = chain.at(-1);
  return last?.type === 'agent' || last?.type === 'service' ? last.id : client;
}

const agents = new WeakMap<Caller, Caller>();

/**
 * The caller as the tool endpoint sees it: a person's token there is always held by an agent acting for them
 * (contracts §3), so the chain is [user, agent]. Services stay what they are.
 */
export function asAgent(caller: Caller): Caller {
  if (caller.subject.type !== 'user' || caller.principal.type === 'agent') return caller;
  let agent = agents.get(caller);
  if (agent === undefined) {
    const principal: PrincipalRef = { type: 'agent', id: caller.agentId ?? 'unknown' };
    agent = { ...caller, principal, chain: [caller.subject, principal] };
    agents.set(caller, agent);
  }
  return agent;
}
