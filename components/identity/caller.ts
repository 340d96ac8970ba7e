import type { PrincipalRef } from '@steward/kernel';

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
