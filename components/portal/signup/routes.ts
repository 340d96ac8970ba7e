import type { Caller, Decider } from '@steward/access';
import type { Identity } from '@steward/identity';
import { route, type Guard, type Route } from '@steward/contract';
import { limitBucket, type ClientAddress } from '@steward/kernel';
import { spend } from '@steward/limits';
import { portalFail } from '../errors.ts';
import { readSignup, signupBody } from './request.ts';
import { signUp, type SignupPorts } from './signup.ts';

export interface SignupDoor extends SignupPorts {
  readonly identity: Identity;
  readonly clientAddress: ClientAddress;
  readonly decider: Pick<Decider, 'signedIn'>;
}

/** Order of checks: limit by address, token, person, token for signup; then the body (contracts §5). */
function signupGuard({
  identity,
  addresses,
  config,
  tenancy,
  clientAddress,
  decider,
}: SignupDoor): Guard<{ caller: Caller; fields: Record<string, string> }> {
  const { scopes, audiences, attemptsPerAddressPerHour } = config.signup;
  const bearer = identity.bearer(addresses.portal, audiences);
  const limit = { name: 'signup-address', allowed: attemptsPerAddressPerHour, windowSeconds: 3600 };
  return {
    security: 'bearer',
    errors: ['rate_limited', 'unauthenticated', 'machine_principal', 'signup_not_allowed'],
    admit: async (request) => {
      const fields = await spend(tenancy.pool, limit, limitBucket(clientAddress(request.raw)));
      const caller = await bearer.admit(request);
      if (!caller.human)
        throw portalFail(
          'machine_principal',
          'Signup needs a token of a person. An agent signs up with the token that its owner gave it.',
        );
      const allowed =
        scopes.some((scope) => caller.scopes.has(scope)) ||
        audiences.some((audience) => caller.audiences.includes(audience)) ||
        decider.signedIn(caller);
      if (!allowed) throw portalFail('signup_not_allowed', `The token needs the scope ${scopes.join(' or ')}.`);
      if (caller.tenantClaim !== undefined)
        throw portalFail(
          'signup_not_allowed',
          'The token is bound to one tenant and cannot sign up another: use a token without a tenant.',
        );
      return { caller, fields };
    },
  };
}

export const signupRoutes = (door: SignupDoor): Route[] => [
  route({
    method: 'POST',
    path: '/api/external-agent/signup',
    does: 'for_people',
    summary: "Create or reuse an owner's tenant and get its bootstrap document",
    description:
      'The person of the bearer token becomes the owner. The token has the scope of signup, or is that of a person who is signed in at the console. The header Idempotency-Key overrides idempotencyKey in the body.',
    tag: 'Signup',
    guard: signupGuard(door),
    headers: { 'Idempotency-Key': '8 to 200 characters. Required, unless the body has idempotencyKey.' },
    described: signupBody,
    answers: { 201: { description: 'The bootstrap document. A replay carries Idempotent-Replayed: true.' } },
    errors: [
      'organization_name_required',
      'idempotency_key_required',
      'invalid_idempotency_key',
      'idempotency_conflict',
      'signup_owner_limit',
      'signup_failed',
    ],
    handle: async ({ guard, request }) => {
      const header = request.headers['idempotency-key'];
      const { key, request: wanted } = readSignup(request.body, typeof header === 'string' ? header : undefined);
      await door.identity.people.remember(guard.caller.subject, guard.caller.displayName, guard.caller.email);
      const { document, replayed } = await signUp(door, guard.caller, key, wanted, { requestId: request.id });
      return {
        status: 201,
        text: document,
        headers: replayed ? { ...guard.fields, 'idempotent-replayed': 'true' } : guard.fields,
      };
    },
  }),
];
