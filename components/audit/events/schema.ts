import { z } from 'zod';

export const principal = z.object({
  principalType: z.enum(['user', 'agent', 'service', 'system']),
  principalId: z.string(),
});
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Beside the chain, which stays as it is hashed. */
export const displayNames = z
  .record(z.string(), z.string())
  .optional()
  .describe('Present names of people and of the clients of agents, by `{principal_type}:{principal_id}`');

export const receipt = z.object({ format: z.string(), keyId: z.string(), signature: z.string() });

/** The stored event as REST answers it. */
export const shownEvent = z.object({
  id: z.uuid(),
  tenantId: z.uuid(),
  type: z.string(),
  eventVersion: z.string(),
  grammar: z.string(),
  grammarDigest: hash,
  source: z.string(),
  sourceSystem: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
  dimensionalTags: z.record(z.string(), z.string()).optional(),
  principalChain: z.array(principal),
  ingestedBy: principal,
  displayNames,
  occurredAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
  causalId: z.string().optional(),
  correlationId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  sourceEventId: z.string().optional(),
  sequence: z.int().min(1),
  rowHash: hash,
  prevHash: hash,
  receipt: receipt.optional(),
});

const identifier = { type: ['string', 'null'], minLength: 1, maxLength: 200 };

/**
 * For the document only. The envelope is read by hand: its faults have codes of their own, and one reader serves REST
 * and GraphQL.
 */
export const ingestSchema: z.ZodType<unknown> = z.unknown().meta({
  type: 'object',
  properties: {
    type: { type: 'string', pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){1,5}$', maxLength: 200 },
    event_version: { type: 'string', description: 'A semantic version', maxLength: 64 },
    grammar: { type: 'string', maxLength: 64 },
    source: { type: 'string', minLength: 1, maxLength: 200 },
    payload: { type: 'object', description: 'Up to 64 KiB in canonical form' },
    principal_chain: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: {
        type: 'object',
        properties: {
          principal_type: { enum: ['user', 'agent', 'service', 'system'] },
          principal_id: { type: 'string', minLength: 1, maxLength: 300 },
        },
        required: ['principal_type', 'principal_id'],
        additionalProperties: false,
      },
    },
    occurred_at: { type: 'string', format: 'date-time' },
    dimensional_tags: { type: ['object', 'null'], maxProperties: 32, additionalProperties: { type: 'string' } },
    idempotency_key: { type: ['string', 'null'], minLength: 8, maxLength: 200 },
    causal_id: identifier,
    correlation_id: identifier,
    source_system: identifier,
    source_event_id: identifier,
  },
  required: ['type', 'event_version', 'grammar', 'source', 'payload', 'principal_chain', 'occurred_at'],
  additionalProperties: false,
});
