import { requireHuman, type Caller } from '@steward/identity';
import { fail } from '@steward/kernel';
import { errors } from '../errors.ts';
import type { Ground } from '../ground.ts';

const scope = 'service:approvals:decide';

/** How long ago a person may have logged in to decide. Seconds. */
const freshness = 15 * 60;

/** Seconds that two clocks may differ (contracts §3). */
const skew = 30;

/**
 * Whether the token proves that a person decides, here and now (contracts §3): about a pending action, or about who may do
 * what in a tenant. A token that an agent was given, or that
 * was made for signing up or for tools, never does.
 * @throws Problem `not_human`, `client_not_approver`, `insufficient_scope` (403); `login_too_old` (401), as RFC 9470 says
 */
export function requireDecider(
  { approverClients, clock, portal }: Pick<Ground, 'approverClients' | 'clock' | 'portal'>,
  caller: Caller,
): void {
  requireHuman(caller);
  if (!isApproverClient(approverClients, caller)) {
    throw errors(
      'client_not_approver',
      `This takes a token of a client where people decide: sign in at ${portal}/approvals and do it there, or propose it with this token by POST ${portal}/api/pending-actions.`,
    );
  }
  if (!caller.scopes.has(scope)) throw fail('insufficient_scope', `Deciding takes the scope ${scope}.`);
  const age = clock() / 1000 - (caller.authTime ?? Number.NaN);
  if (age >= -skew && age <= freshness) return;
  throw errors(
    'login_too_old',
    age < 0
      ? 'The login is dated in the future, so it counts for nothing: check the clocks.'
      : 'You logged in more than 15 minutes ago: log in again to decide.',
    again,
  );
}

const again = {
  headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${freshness}"` },
};

/** A client is one of an issuer: the same id at another issuer is another client. */
export const isApproverClient = (
  approverClients: Ground['approverClients'],
  { clientId, issuer }: Pick<Caller, 'clientId' | 'issuer'>,
): boolean =>
  clientId !== undefined &&
  approverClients.some((one) => one.clientId === clientId && (one.issuer === undefined || one.issuer === issuer));
