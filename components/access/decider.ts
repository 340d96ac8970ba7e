import { fail, type Clock } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { callerOf, requireHuman, type Caller } from './caller.ts';
import { errors } from './errors.ts';

/** A client whose tokens may decide, at the issuer that vouches for it: another issuer may have a client of the same id. */
export interface ApproverClient {
  /** Undefined: the only issuer there is. */
  readonly issuer: string | undefined;
  readonly clientId: string;
}

const scope = 'service:approvals:decide';

/** How long ago a person may have logged in to decide. Seconds. */
const freshness = 15 * 60;

/** Seconds that two clocks may differ (contracts §3). */
const skew = 30;

export interface DeciderPorts {
  /** Clients whose tokens may decide (`APPROVER_CLIENTS`). */
  readonly approverClients: readonly ApproverClient[];
  readonly issuers: readonly { readonly issuer: string; readonly prefix: string }[];
  readonly clock: Clock;
  /** The portal's public base URL, where people decide. */
  readonly portal: string;
}

/** Recognizes people who may decide: about a pending action, and about who may do what in a tenant. */
export interface Decider {
  /**
   * Whether the token proves that a person decides, here and now (contracts §3). A token that an agent was given, or that
   * was made for signing up or for tools, never does.
   * @throws Problem `not_human`, `client_not_approver`, `insufficient_scope` (403); `login_too_old` (401), as RFC 9470 says
   */
  require(caller: Caller): void;
  /** The same for the caller behind a context; @throws Problem `not_human` for the platform's own work as well */
  requireFor(context: TenantContext): void;
  /** Whether deciding, by a person, goes through this client, named as agents are. */
  decidesThrough(agentId: string): boolean;
  /** Whether a person is signed in where people decide, such as the console, by a token that decides nothing itself. */
  signedIn(caller: Caller): boolean;
}

export function createDecider({ approverClients, issuers, clock, portal }: DeciderPorts): Decider {
  /** Agents are named after clients, with their issuer's prefix. */
  const agents = new Set(
    approverClients.map(({ issuer, clientId }) => {
      const profile = issuers.find((one) => issuer === undefined || one.issuer === issuer);
      return `${profile?.prefix ?? ''}${clientId}`;
    }),
  );
  const requireDecider = (caller: Caller): void => {
    requireHuman(caller);
    if (!isApproverClient(approverClients, caller)) {
      throw errors(
        'client_not_approver',
        `This needs a token of a client where people decide. Sign in at ${portal}/approvals and do it there, or propose it ` +
          `with this token at POST ${portal}/api/pending-actions.`,
      );
    }
    if (!caller.scopes.has(scope)) throw fail('insufficient_scope', `Deciding needs a token with the scope ${scope}.`);
    const age = clock() / 1000 - (caller.authTime ?? Number.NaN);
    if (age >= -skew && age <= freshness) return;
    throw errors(
      'login_too_old',
      age < 0
        ? 'The login has a time in the future and does not count: check the clocks of the servers.'
        : 'You logged in more than 15 minutes ago: log in again to decide.',
      again,
    );
  };
  const requireFor = (context: TenantContext): void => {
    const caller = callerOf(context);
    if (caller === undefined) throw fail('not_human');
    requireDecider(caller);
  };
  return {
    require: requireDecider,
    requireFor,
    decidesThrough: (agentId) => agents.has(agentId),
    signedIn: (caller) => caller.human && isApproverClient(approverClients, caller) && !caller.scopes.has(scope),
  };
}

const again = {
  headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${freshness}"` },
};

/** A client is one of an issuer: the same id at another issuer is another client. */
const isApproverClient = (
  approverClients: DeciderPorts['approverClients'],
  { clientId, issuer }: Pick<Caller, 'clientId' | 'issuer'>,
): boolean =>
  clientId !== undefined &&
  approverClients.some((one) => one.clientId === clientId && (one.issuer === undefined || one.issuer === issuer));
