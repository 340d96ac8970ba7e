import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { fail, createFreshCache, type FreshCache, Problem } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import canonicalize from 'canonicalize';
import { credentialHash, isCredentialText } from '../credentials/text.ts';
import { freshFor, type OpenDoor } from '../doors/find.ts';
import { agenticFail } from '../errors.ts';
import { admitAgents } from '../permissions.ts';
import type { Standing } from '../words.ts';
import type { Arrived } from './arrived.ts';
import type { Refusals } from './refusals.ts';

/** Who asks with a key that the brand issued. */
export interface AdmittedBearer {
  readonly id: string;
  /** Of the credential. */
  readonly keyId: string;
  /** Whether the request was signed besides. */
  readonly signed: boolean;
  readonly profileUrl: string;
  readonly trusted: boolean;
}

interface Known {
  readonly tenant: string;
  readonly credentialId: string;
  readonly agentId: string;
  readonly profileUrl: string;
  readonly standing: Standing;
  readonly publicKey: KeyObject | null;
}

export interface BearerAdmission {
  /**
   * Lets an agent platform through a door by the key that the brand issued to it. A live door demands that the request is signed, too.
   * @throws Problem `unauthenticated`, `signature_missing`, `signature_invalid`, `signature_expired` (401), `profile_not_trusted` (403)
   */
  admit(door: OpenDoor, arrived: Arrived, body: unknown): Promise<AdmittedBearer>;
  readonly cache: Pick<FreshCache<Known>, 'forget'>;
}

/** Milliseconds by which the clock of a platform may be wrong, and for which a message may be on its way. */
const mostSkew = 300_000;
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const tokenOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^bearer +([\x21-\x7e]{1,500})$/i.exec(header.slice(0, 600))?.[1];

/**
 * What a platform signs, by Ed25519: the method, the path with its query, `Timestamp`, `Idempotency-Key`, and the body as canonical JSON (RFC 8785), each
 * on a line of its own; what a request does not have is an empty line.
 */
export function signedText(
  { method, url, headers }: Pick<Arrived, 'method' | 'url' | 'headers'>,
  body: unknown,
): string {
  const { pathname, search } = new URL(url);
  return [
    method.toUpperCase(),
    `${pathname}${search}`,
    headers['timestamp'] ?? '',
    headers['idempotency-key'] ?? '',
    body === undefined ? '' : canonicalize(body),
  ].join('\n');
}

export function createBearerAdmission({
  contextOf,
  refusals,
}: {
  readonly contextOf: (tenant: string) => TenantContext;
  readonly refusals: Refusals;
}): BearerAdmission {
  const cache = createFreshCache<Known>({ milliseconds: freshFor, capacity: 10_000, missing: 1_000 });

  const find = async ({ tenant, brandId, mode }: OpenDoor, token: string): Promise<Known | undefined> => {
    const hash = credentialHash(token);
    return cache.get(`${brandId} ${mode} ${hash.toString('base64')}`, async () => {
      const scope = contextOf(tenant).require(admitAgents);
      const [row] = await scope.read<{
        credential_id: string;
        agent_id: string;
        profile_url: string;
        standing: Standing;
        public_key: string | null;
        stale: boolean;
        lives: number | null;
      }>(sql`
        select c.credential_id, a.agent_id, a.profile_url, a.standing, c.public_key,
          a.last_seen_at < clock_timestamp() - interval '1 hour' or a.key_id is distinct from c.credential_id::text as stale,
          extract(epoch from c.expires_at - clock_timestamp())::float8 * 1000 as lives
        from agentic.credential c join agentic.agent a on a.tenant_id = c.tenant_id and a.agent_id = c.agent_id
        where c.tenant_id = ${tenant}::uuid and c.key_hash = ${hash}::bytea and c.brand_id = ${brandId}::uuid and c.mode = ${mode}
          and c.revoked_at is null and c.suspended_at is null and (c.expires_at is null or c.expires_at > clock_timestamp())`);
      if (row === undefined) return { value: undefined };
      const { credential_id: credentialId, agent_id: agentId, public_key: x } = row;
      if (row.stale)
        await scope.write(async (tx) => {
          await tx.query(sql`
            update agentic.agent set last_seen_at = clock_timestamp(), key_id = ${credentialId}, verdict = 'bearer'
            where tenant_id = ${tenant}::uuid and agent_id = ${agentId}::uuid`);
        });
      const publicKey = x === null ? null : createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const value = { tenant, credentialId, agentId, profileUrl: row.profile_url, standing: row.standing, publicKey };
      return { value, lives: row.lives === null ? undefined : Math.max(0, row.lives) };
    });
  };

  /** Whether it is signed; throws where it is wrong, or must be and is not. */
  function checkSignature(door: OpenDoor, { publicKey }: Known, arrived: Arrived, body: unknown): boolean {
    const { signature, timestamp } = arrived.headers;
    if (signature === undefined) {
      if (door.mode !== 'live' && !door.refuseUnsigned) return false;
      throw agenticFail(
        'signature_missing',
        'Sign the request: Signature and Timestamp, by the Ed25519 key that the shop knows of you.',
      );
    }
    if (publicKey === null)
      throw agenticFail(
        'signature_invalid',
        'The shop knows no public key of yours: have it issue a credential with one.',
      );
    if (timestamp === undefined || !rfc3339.test(timestamp) || Number.isNaN(Date.parse(timestamp)))
      throw agenticFail('signature_invalid', 'Send Timestamp as RFC 3339 says, such as 2026-04-17T10:00:00Z.');
    if (Math.abs(Date.now() - Date.parse(timestamp)) > mostSkew)
      throw agenticFail('signature_expired', 'Timestamp is more than five minutes away from now: sign anew.');
    const bytes = /^[A-Za-z0-9_-]{86}(?:==)?$/.test(signature) ? Buffer.from(signature, 'base64url') : undefined;
    if (bytes === undefined || !verify(null, Buffer.from(signedText(arrived, body)), publicKey, bytes))
      throw agenticFail(
        'signature_invalid',
        'The signature is not what the key makes of this request: sign the method, the path with its query, Timestamp, Idempotency-Key and the body as canonical JSON (RFC 8785), a line each.',
      );
    return true;
  }

  return {
    cache,
    admit: async (door, arrived, body) => {
      const asked: { profileUrl: string | null; keyId: string | null } = { profileUrl: null, keyId: null };
      try {
        const token = tokenOf(arrived.headers['authorization']);
        const known = token === undefined || !isCredentialText(token) ? undefined : await find(door, token);
        if (known === undefined)
          throw fail('unauthenticated', 'Send Authorization: Bearer with the key that the shop issued for this door.', {
            headers: { 'www-authenticate': 'Bearer' },
          });
        Object.assign(asked, { profileUrl: known.profileUrl, keyId: known.credentialId });
        const signed = checkSignature(door, known, arrived, body);
        if (known.standing === 'shut_out')
          throw agenticFail(
            'profile_not_trusted',
            'The shop serves this agent no more: ask the shop to let it in again.',
          );
        if (door.trustedOnly && known.standing !== 'trusted')
          throw agenticFail(
            'profile_not_trusted',
            'The shop sells to agents that it trusts: ask it to trust this one.',
          );
        const { agentId: id, credentialId: keyId, profileUrl, standing } = known;
        return { id, keyId, signed, profileUrl, trusted: standing === 'trusted' };
      } catch (error) {
        if (error instanceof Problem && error.status < 500)
          await refusals.note(door, { ...asked, verdict: error.code });
        throw error;
      }
    },
  };
}
