import type { Approving, Caller, ReadAccessProfile, Surface } from '@steward/access';
import type { Addresses, Clock, Log, Metrics } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { Catalogue } from './catalogue.ts';
import type { Outcome, Tool } from './tool.ts';

/** An organization a caller may select. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** A member's call that was refused. */
export interface Denial {
  readonly tool: string;
  readonly code: string;
  readonly surface: Surface;
}

/** How the platform is, for `service_platform_status`. */
export interface PlatformStatus {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
}

/** A command that is proposed to people instead of being carried out. */
export interface Proposal {
  readonly tool: Tool;
  /** Its own arguments, checked. */
  readonly args: unknown;
  readonly idempotencyKey: string | undefined;
  readonly caller: Caller;
  readonly surface: Surface;
  /** The client shows its user an address when asked to. */
  readonly opensAddresses: boolean;
}

/** The state of a proposed command: waiting for people (`outcome.pendingActionId`), or executed. */
export interface Proposed {
  readonly outcome: Outcome;
  /** Where the client's user can be sent to decide: shown once, and continued once with the nonce. */
  readonly visit?: { readonly url: string; readonly message: string; readonly nonce: string };
}

/** Commands that take effect only when people have approved. */
export interface ApprovalPort extends Approving {
  /** @throws Problem `idempotency_conflict`; what the tool throws in its preview; how a known action ended */
  propose(context: TenantContext, proposal: Proposal): Promise<Proposed>;
  /** Continues after the visit. @throws Problem `invalid_request` for a nonce that was used before */
  resume(context: TenantContext, caller: Caller, nonce: string): Promise<Proposed>;
}

/** What the server plugs in. */
export interface ToolsDeps {
  readonly addresses: Pick<Addresses, 'mcp' | 'mcpAlias'>;
  /** Address of the internal surface, on the internal listener. */
  readonly internalAddress: string;
  readonly version: string;
  /** Every component's tools, this one's own among them. */
  readonly toolCatalogue: Catalogue;
  /**
   * The caller a header proves, for a token meant for one of the audiences; not a promise when the token is cached.
   * @throws Problem 401 or 403, which the endpoint sends with a challenge
   */
  readonly authenticate: (authorization: string | undefined, audiences: readonly string[]) => Caller | Promise<Caller>;
  /** Issuers, for the protected-resource metadata (RFC 9728). */
  readonly authorizationServers: readonly string[];
  readonly accessProfile: ReadAccessProfile;
  readonly orgsOf: (caller: Caller) => Promise<readonly Organization[]>;
  /** With the chain of this endpoint: a person's token is an agent acting for them. */
  readonly contextFor: (caller: Caller, tenant: string, requestId: string) => TenantContext;
  /** Writes a refused call of a member into the tenant's audit log, which bounds how many; awaited before the answer. */
  readonly recordDenied: (context: TenantContext, denial: Denial) => Promise<void>;
  readonly platformStatus: () => Promise<PlatformStatus>;
  /** Without it no tool of tier `approval` can be offered. */
  readonly approvals?: ApprovalPort;
  /** At least 32 random bytes, the same in every process: signs `requestState`. */
  readonly stateKey: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly clock: Clock;
  /** Host header values accepted beside those of the addresses, such as a proxy's. */
  readonly hosts?: readonly string[];
  /** Origins accepted beside those of the addresses. */
  readonly origins?: readonly string[];
  /** How long a request's body may take to arrive. Milliseconds; 10 000 when not given. */
  readonly bodyMilliseconds?: number;
}

/** What this component's own tools run with. */
export type OwnPorts = Pick<ToolsDeps, 'accessProfile' | 'orgsOf' | 'addresses' | 'platformStatus' | 'version'>;
