import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT, type JWTPayload } from 'jose';
import { developmentKeys, subjectOf } from './keys.ts';
import { approvalScope, approverClient, approverScopes, defaultScopes } from './scopes.ts';

export interface MintOptions {
  readonly dataDir: string;
  readonly issuer: string;
  /** Base URLs the token opens. */
  readonly audiences: readonly string[];
  /** E-mail address of a person. Exactly one of `user` and `client` is given. */
  readonly user?: string;
  /** Id of a machine. */
  readonly client?: string;
  /** Id of an agent acting for `user`. */
  readonly agent?: string;
  /** Words separated by spaces; replaces the default. */
  readonly scope?: string;
  /** Binds the token to this tenant. */
  readonly tenant?: string;
  /** As the console's token of a person who has just logged in: it may decide pending actions. */
  readonly approver?: boolean;
  /** One hour by default. */
  readonly lifetimeSeconds?: number;
}

/**
 * A token of the running instance's development identity provider, signed with the key in its data folder.
 * @throws RangeError that says which options contradict one another
 */
export async function mintToken(options: MintOptions): Promise<string> {
  refuseContradictions(options);
  const keys = await developmentKeys(options.dataDir);
  const now = Math.floor(Date.now() / 1000);
  const { user, client, agent, approver = false } = options;
  const scope = options.scope ?? (approver ? approverScopes : defaultScopes).join(' ');
  const claims: JWTPayload = {
    jti: randomUUID(),
    scope,
    ...(options.tenant === undefined ? {} : { tenant_id: options.tenant }),
    ...(user === undefined
      ? { sub: client, client_id: client }
      : {
          sub: subjectOf(keys, user),
          client_id: agent ?? (approver ? approverClient : 'steward-cli'),
          email: user.trim().toLowerCase(),
          name: user.trim(),
          auth_time: now,
          amr: ['dev'],
        }),
    ...(agent === undefined ? {} : { act: { sub: agent } }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: keys.signing.kid })
    .setIssuer(options.issuer)
    .setAudience([...options.audiences])
    .setIssuedAt(now)
    .setExpirationTime(now + (options.lifetimeSeconds ?? 3600))
    .sign(await importJWK(keys.signing, 'ES256'));
}

function refuseContradictions({ user, client, agent, approver, lifetimeSeconds, scope }: MintOptions): void {
  if ((user === undefined) === (client === undefined)) throw new RangeError('Give either a user or a client.');
  if (user !== undefined && !/^[^\s@]+@[^\s@]+$/.test(user.trim()))
    throw new RangeError('Give the user as an e-mail address.');
  if (agent !== undefined && user === undefined) throw new RangeError('An agent acts for a user: give both.');
  if (approver === true && (user === undefined || agent !== undefined)) {
    throw new RangeError('Only a person may decide: give a user and no agent for an approver token.');
  }
  if (approver !== true && scope?.split(' ').includes(approvalScope) === true) {
    throw new RangeError(`Only approver tokens may have the scope ${approvalScope}.`);
  }
  if (lifetimeSeconds !== undefined && !(lifetimeSeconds > 0))
    throw new RangeError('Give a lifetime of more than 0 seconds.');
}
