import { requireHuman, type Caller } from '@steward/identity';
import { fail } from '@steward/kernel';
import { errors } from '../errors.ts';
import type { Ground } from '../ground.ts';

const scope = 'service:approvals:decide';

/** How long ago a person may have logged in to decide. Seconds. */
const freshness = 15 * 60;

/**
 * Whether the token proves that a person decides, here and now (contracts §3). A token that an agent was given, or that
 * was made for signing up or for tools, never does.
 * @throws Problem `not_human`, `client_not_approver`, `insufficient_scope` (403); `login_too_old` (401), as RFC 9470 says
 */
export function requireDecider(
  { approverClients, clock }: Pick<Ground, 'approverClients' | 'clock'>,
  caller: Caller,
): void {
  requireHuman(caller);
  if (caller.clientId === undefined || !approverClients.includes(caller.clientId)) {
    throw errors('client_not_approver', 'Decide in the console: tokens of other clients cannot.');
  }
  if (!caller.scopes.has(scope)) throw fail('insufficient_scope', `Deciding takes the scope ${scope}.`);
  const age = caller.authTime === undefined ? Number.POSITIVE_INFINITY : clock() / 1000 - caller.authTime;
  if (age > freshness) {
    throw errors('login_too_old', 'You logged in more than 15 minutes ago: log in again to decide.', {
      headers: {
        'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${freshness}"`,
      },
    });
  }
}
