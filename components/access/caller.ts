import { fail, type PrincipalRef } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';

/** An authenticated caller: what the token proves, nothing that the database says. */
export interface Caller {
  /** The caller itself: the agent for an agent acting for a person, else the token's subject. */
  readonly principal: PrincipalRef;
  /** Whose membership counts: the person, or the machine itself. */
  readonly subject: PrincipalRef;
  /**
   * The agent that holds the token: `act.sub`, else `client_id` / `azp`, else the machine itself, else `unknown`. Undefined
   * for platform service tokens.
   */
  readonly agentId: string | undefined;
  /** As audit events carry it on every surface but the tool endpoint. */
  readonly chain: readonly PrincipalRef[];
  /** Human evidence and no machine evidence, and no `act`. */
  readonly human: boolean;
  /** A configured platform service token. */
  readonly service: boolean;
  readonly displayName: string | undefined;
  readonly email: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** The token itself names scopes of tools (`mcp:…`), rather than its issuer's `defaultScopes` doing so for it. */
  readonly namesToolScopes: boolean;
  /** Roles at the platform, such as `mcp_internal`. */
  readonly platformRoles: ReadonlySet<string>;
  readonly audiences: readonly string[];
  readonly clientId: string | undefined;
  readonly issuer: string | undefined;
  /** A tenant chosen at consent (claim `tenant_id`). */
  readonly tenantClaim: string | undefined;
  /** Seconds since the epoch. */
  readonly authTime: number | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const callers = new WeakMap<TenantContext, Caller>();

/** Remembers whose context a door made. */
export const attribute = (context: TenantContext, caller: Caller): TenantContext => {
  callers.set(context, caller);
  return context;
};

/** Whose context a door made; undefined for contexts of the platform's own work. */
export const callerOf = (context: TenantContext): Caller | undefined => callers.get(context);

/** People act in person, and the platform's own services for nobody; what the tenant allows limits all others. */
export const isBound = ({ principal, service }: Caller): boolean => principal.type !== 'user' && !service;

/** @throws Problem `not_human` (403) */
export function requireHuman(caller: Caller): void {
  if (caller.human) return;
  throw fail(
    'not_human',
    caller.principal.type === 'agent'
      ? 'An agent that acts for a person cannot do this: the person must do it.'
      : 'A machine cannot do this: use a token that proves that a person logged in.',
  );
}
