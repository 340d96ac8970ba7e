import { judgedBy, type AccessProfile, type Caller, type ReadAccessProfile } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { canonicalJson, digest } from '@steward/tools';
import { forbidden } from './refusals.ts';
import type { Action } from './action.ts';
import type { Deps } from '../deps.ts';

/** This component itself, where no person and no token is behind what happens: expiry, and going on after a crash. */
export const itself: PrincipalRef = { type: 'system', id: 'approvals' };

/** Distinguishes requesters: the same key of another requester is another command. */
export const requesterOf = ({ subject, principal }: Pick<Caller, 'subject' | 'principal'>): string =>
  digest(canonicalJson([subject.type, subject.id, principal.type, principal.id]));

/** The requester without their token: what a tool sees of its caller when it runs later. */
export function callerOf({
  requestedBy: chain,
  subject,
  clientId,
}: Pick<Action, 'requestedBy' | 'subject' | 'clientId'>): Caller {
  return {
    principal: chain.at(-1) ?? subject,
    subject,
    agentId: clientId ?? undefined,
    chain,
    human: false,
    service: subject.id.startsWith('service:'),
    displayName: undefined,
    email: undefined,
    scopes: new Set(),
    namesToolScopes: false,
    platformRoles: new Set(),
    audiences: [],
    clientId: clientId ?? undefined,
    issuer: undefined,
    tenantClaim: undefined,
    authTime: undefined,
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
}

/** The requester in the tenant, acting now because `by` decided: their membership is asked again in each transaction. */
export const requesterContext = (
  deps: Pick<Deps, 'tenancy' | 'identity'>,
  tenant: string,
  action: Action,
  by: PrincipalRef,
  requestId: string,
): TenantContext =>
  deps.tenancy.context({
    tenant,
    decision: deps.identity.decision(tenant, () => requesterContext(deps, tenant, action, by, requestId)),
    chain: action.requestedBy,
    subject: action.subject,
    caller: by,
    ...(action.agentId === null && action.clientId !== null && action.subject.type === 'user'
      ? { client: action.clientId }
      : {}),
    requestId,
    correlationId: action.correlationId,
    causalId: action.lastEventId,
    action: action.id,
  });

/** The platform's own context in the tenant, for changes of an action that no person makes. */
export const ownContext = (
  { tenancy }: Pick<Deps, 'tenancy'>,
  tenant: string,
  action: Pick<Action, 'correlationId' | 'lastEventId'>,
  requestId: string,
): TenantContext =>
  tenancy.systemContext({
    tenant,
    chain: [itself],
    subject: itself,
    caller: itself,
    requestId,
    correlationId: action.correlationId,
    causalId: action.lastEventId,
  });

/** What the tenant has decided about the requester. @throws Problem `tenant_forbidden` when it is no member any more */
export async function requireAccessProfile(
  source: ReadAccessProfile,
  caller: Caller,
  context: TenantContext,
): Promise<AccessProfile> {
  const profile = await source(caller, context.tenant);
  judgedBy(context, profile);
  if (profile === undefined) throw forbidden();
  return profile;
}
