import { type RequestMessage, requiredOf, type Verified, verify } from '@steward/http-signatures';
import { createFreshCache, type FreshCache, Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { type Came, meet, type Met } from '../agents/meet.ts';
import { freshFor, type OpenDoor } from '../doors/find.ts';
import { agenticFail } from '../errors.ts';
import { type Profile, profileUrlOf, webhookOf } from '../profiles/profile.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { Arrived } from './arrived.ts';
import type { Refusals } from './refusals.ts';

/** Who asks, as far as it was proved, and what they say of themselves. */
export interface AdmittedAgent {
  readonly id: string;
  readonly profile: Profile;
  /** Of the key that signed the request; null: nothing did. */
  readonly keyId: string | null;
  readonly trusted: boolean;
}

export interface AdmitPorts {
  readonly profiles: Profiles;
  /** Which may be by http on this machine. */
  readonly plainProfiles: Profiles;
  readonly refusals: Refusals;
  readonly contextOf: (tenant: string) => TenantContext;
}

export interface Admission {
  /**
   * Lets an agent through a door, or not. A live door, and one that says so, demands a signature by a key of the profile that the request names;
   * each door verifies one that is there.
   * @throws Problem `invalid_profile_url` (400), `profile_unreachable` (424), `profile_malformed` (422), `signature_missing`, `signature_invalid`,
   *   `key_not_found` (401), `digest_mismatch`, `algorithm_unsupported` (400), `profile_not_trusted` (403), `agent_limit` (429)
   * @param plain its profile may be by http on this machine, as that of the official suite is
   */
  admit(door: OpenDoor, arrived: Arrived, plain?: boolean): Promise<AdmittedAgent>;
  readonly cache: Pick<FreshCache<Met & { readonly tenant: string }>, 'forget'>;
}

/** What a signature must cover, where the request has it (UCP, signatures). */
const fields = ['ucp-agent', 'idempotency-key', 'signature-agent'];

/** What else a signature may be made for: for another purpose it says nothing here (UCP, identity resolution). */
const tags = ['web-bot-auth'];

const refusedBecause = {
  signature_missing:
    'Sign the request (RFC 9421), without the parameter tag or with web-bot-auth: cover @method, @authority, @path, @query, content-digest and content-type of a body, and the headers ucp-agent, idempotency-key and signature-agent that you send.',
  signature_invalid:
    'The signature is not what the key makes of this request: sign the public address and what is sent as it is sent, by raw r and s for ECDSA, and let no time that it says be past.',
  key_not_found:
    'The profile publishes no key that may sign under this keyid: publish it in keys, and try again within a minute.',
  digest_mismatch: 'Content-Digest is not that of the body as it came (RFC 9530): send sha-256 of the same bytes.',
  algorithm_unsupported: 'Sign by ES256, ES384 or Ed25519, without the parameter alg.',
} as const;

export function createAdmission({ profiles, plainProfiles, refusals, contextOf }: AdmitPorts): Admission {
  const cache = createFreshCache<Met & { readonly tenant: string }>({
    milliseconds: freshFor,
    capacity: 10_000,
    missing: 1,
  });

  const verified = async (profile: Profile, message: RequestMessage): Promise<Verified> => {
    const required = requiredOf(message, fields);
    let verdict = verify(message, { keys: profile.keys, required, tags });
    // Keys change: one that is not known may be new.
    if (verdict === 'key_not_found') {
      const again = await profiles.again(profile);
      if (again !== profile) verdict = verify(message, { keys: again.keys, required, tags });
    }
    if (typeof verdict === 'string') throw agenticFail(verdict, refusedBecause[verdict]);
    profiles.proved(profile);
    return verdict;
  };
  const met = async (door: OpenDoor, came: Came): Promise<Met> => {
    const name = `${door.protocol} ${door.brandId} ${came.keyId ?? ''} ${came.webhook?.release ?? ''} ${came.webhook?.url ?? ''} ${came.profileUrl}`;
    const found = await cache.get(name, async () => ({
      value: { ...(await meet(contextOf(door.tenant), door, came)), tenant: door.tenant },
    }));
    if (found === undefined) throw new Error('whoever came is noted');
    return found;
  };

  return {
    cache,
    admit: async (door, arrived, plain = false) => {
      const asked: { profileUrl: string | null; keyId: string | null } = { profileUrl: null, keyId: null };
      try {
        const url = profileUrlOf(arrived.headers['ucp-agent'], arrived.profileUrl, plain);
        asked.profileUrl = url;
        const signed = arrived.headers['signature'] !== undefined || arrived.headers['signature-input'] !== undefined;
        if (!signed && (door.mode === 'live' || door.refuseUnsigned))
          throw agenticFail('signature_missing', refusedBecause.signature_missing);
        const profile = await (plain ? plainProfiles : profiles).of(url);
        if (signed) asked.keyId = (await verified(profile, arrived)).key.kid;
        const { agentId, standing } = await met(door, {
          profileUrl: url,
          keyId: asked.keyId,
          webhook: webhookOf(profile),
        });
        if (standing === 'shut_out')
          throw agenticFail(
            'profile_not_trusted',
            'The shop serves this agent no more: ask the shop to let it in again.',
          );
        if (door.trustedOnly && standing !== 'trusted')
          throw agenticFail(
            'profile_not_trusted',
            'The shop sells to agents that it trusts: ask it to trust this one.',
          );
        return { id: agentId, profile, keyId: asked.keyId, trusted: standing === 'trusted' };
      } catch (error) {
        if (error instanceof Problem && error.status < 500)
          await refusals.note(door, { ...asked, verdict: error.code });
        throw error;
      }
    },
  };
}
