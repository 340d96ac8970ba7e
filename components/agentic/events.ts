import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { modes, protocols, standings, verdicts } from './words.ts';

const id = z.uuid();
const keyId = z.string();
const sha256 = z.string();
const host = payload({ host_id: id, brand_id: id, host: z.string() });

export const { grammar, published, event } = defineEvents('agentic', {
  recorded: {
    /** All that is decided about a door, as it is from this event on. */
    'agentic.door.configured': payload({
      brand_id: id,
      protocol: z.enum(protocols),
      active: z.boolean(),
      mode: z.enum(modes),
      refuse_unsigned: z.boolean(),
      trusted_only: z.boolean(),
      version: z.int().min(1),
    }),
    /** The one before it is published until it ends. The thumbprint says which key it is (RFC 7638). */
    'agentic.key.created': payload({
      brand_id: id,
      key_id: id,
      thumbprint: keyId,
      earlier_key_id: id.nullable(),
      earlier_end_at: z.string().nullable(),
    }),
    'agentic.key.revoked': payload({ brand_id: id, key_id: id }),
    /** It came for the first time, or was named by a member before it came (`unseen`). */
    'agentic.agent.added': payload({
      agent_id: id,
      brand_id: id,
      protocol: z.enum(protocols),
      profile_url: z.string(),
      key_id: keyId.nullable(),
      verdict: z.enum(verdicts),
    }),
    /** Where it is told of its orders, as a digest, and in which release of the protocol its profile wants that; null: nowhere, or it has no profile. */
    'agentic.agent.webhook_named': payload({
      agent_id: id,
      brand_id: id,
      url_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
      release: z.string().nullable(),
    }),
    'agentic.agent.judged': payload({ agent_id: id, brand_id: id, standing: z.enum(standings) }),
    /** `public_key`: of the platform, for what it signs. `key_sha256`: of the key, in hexadecimal. */
    'agentic.credential.issued': payload({
      credential_id: id,
      agent_id: id,
      brand_id: id,
      mode: z.enum(modes),
      public_key: z.string().nullable(),
      key_sha256: sha256,
    }),
    'agentic.credential.rotated': payload({
      credential_id: id,
      new_credential_id: id,
      agent_id: id,
      brand_id: id,
      old_ends_at: z.string(),
      new_key_sha256: sha256,
    }),
    'agentic.credential.revoked': payload({ credential_id: id, agent_id: id, brand_id: id }),
    /** The client that it was issued through was shut out. */
    'agentic.credential.suspended': payload({ credential_id: id, agent_id: id, brand_id: id }),
    'agentic.credential.restored': payload({ credential_id: id, agent_id: id, brand_id: id }),
    'agentic.host.claimed': host,
    /** DNS says that it is the brand's. */
    'agentic.host.verified': host,
    /** Another brand proved since that it is its own. */
    'agentic.host.lapsed': host,
    'agentic.host.released': host,
    /** `omitted`: refusals of the minute before that have no event of their own. */
    'agentic.request.refused': payload({
      brand_id: id,
      protocol: z.enum(protocols),
      profile_url: z.string().nullable(),
      key_id: keyId.nullable(),
      verdict: z.string(),
      omitted: z.int().min(0),
    }),
  },
  published: {},
  reserved: ['agentic.**'],
});
