import type { Role, Caller, Decider } from '@steward/access';
import type { Guard } from '@steward/contract';
import type { Identity, Integrations } from '@steward/identity';
import type { Addresses, ClientAddress, Clock, PrincipalRef, Problem } from '@steward/kernel';
import type { Tenancy, TenantContext, TenantTransaction } from '@steward/sql';
import type { Tool } from '@steward/tools';
import type { PortalSettings } from './settings.ts';
import type { Meter } from './quotas/meter.ts';
import type { CloseBrand } from './brands/archive.ts';
import type { ProvisionStep } from './signup/provision.ts';

/** What the server gives the portal. */
export interface PortalPorts {
  readonly config: PortalSettings;
  readonly addresses: Addresses;
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly clock: Clock;
  /** What a tenant keeps, beside what its tier says. */
  readonly usage: Meter['usage'];
  readonly clientAddress: ClientAddress;
  /** Opens a new tenant's audit chain, before anything is recorded in it. */
  readonly openChain: (tx: TenantTransaction) => Promise<void>;
  /** What other components give a new tenant. */
  readonly steps: readonly ProvisionStep[];
  /** What other components end with a brand. */
  readonly closeBrand: readonly CloseBrand[];
  /** What other components have that gives data or entry to somebody outside. */
  readonly integrations: readonly Integrations[];
  readonly decider: Pick<Decider, 'requireFor' | 'decidesThrough' | 'signedIn'>;
  /** Withdraws pending actions for which `judge` gives a cause; their ids. */
  readonly withdrawAll: Approving['withdrawAll'];
  readonly endRules: Approving['endRules'];
  /** What people decided, and may do without deciding. */
  readonly approvals: Pick<Approving, 'names' | 'refusedAlone'>;
  /** Until the clients that came to this process are noted. */
  readonly clientsSeen: () => Promise<void>;
  /** Names of every tool there is, to check a policy against. */
  readonly toolNames: ReadonlySet<string>;
}

/** What the portal needs of those who keep what awaits people. */
export interface Approving {
  /** Ends standing rules of people who may no longer approve what these let happen, by the role that each has from now on. */
  endRules(tx: TenantTransaction, left: ReadonlyMap<string, Role | undefined>): Promise<void>;
  withdrawAll(tx: TenantTransaction, judge: (asked: Asked) => Cause | undefined): Promise<string[]>;
  /** Whether an action that was carried out names the caller: as who asked for it, or as one of those who approved it. */
  names(tx: TenantTransaction, action: string): Promise<boolean>;
  /** What one person may not do at once: why not; `conflict` where the policy may want two people for what the tool does. */
  refusedAlone(context: TenantContext, tool: string): Promise<Problem | undefined>;
}

/** The members of a pending action that decide whether its proposer may still propose it. */
export interface Asked {
  readonly tool: Tool | undefined;
  /** For whom it was asked: the member whose access it rests on. */
  readonly subject: PrincipalRef;
  /** The agent or machine that asked; undefined for a person, whom no grant binds. */
  readonly granteeId: string | undefined;
  readonly clientId: string | undefined;
}

export type Cause = 'client_shut_out' | 'grant_narrowed' | 'grant_missing' | 'member_removed';

export interface Member {
  readonly caller: Caller;
  readonly context: TenantContext;
}

export type MemberGuard = Guard<Member>;

export interface MemberGuards {
  /** People alone. */
  readonly member: MemberGuard;
  /** Their agents too. */
  readonly agents: MemberGuard;
}

/** What a token is refused with that does not decide. */
export const deciding = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old'];
