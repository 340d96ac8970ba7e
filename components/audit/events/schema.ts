import { z } from 'zod';

export const principalSchema = z.object({
  principal_type: z.enum(['user', 'agent', 'service', 'system']),
  principal_id: z.string(),
});
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Beside the chain, which stays as it is hashed. */
export const displayNamesSchema = z
  .record(z.string(), z.string())
  .optional()
  .describe('What people, and the clients that agents are, are called now, by `{principal_type}:{principal_id}`');

/** The stored event as REST answers it. */
export const eventSchema = z.object({
  id: z.uuid(),
  tenant_id: z.uuid(),
  type: z.string(),
  event_version: z.string(),
  grammar: z.string(),
  grammar_digest: hash,
  source: z.string(),
  source_system: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
  dimensional_tags: z.record(z.string(), z.string()).optional(),
  principal_chain: z.array(principalSchema),
  ingested_by: principalSchema,
  display_names: displayNamesSchema,
  occurred_at: z.iso.datetime(),
  received_at: z.iso.datetime(),
  causal_id: z.string().optional(),
  correlation_id: z.string().optional(),
  idempotency_key: z.string().optional(),
  source_event_id: z.string().optional(),
  sequence: z.int().min(1),
  row_hash: hash,
  prev_hash: hash,
  receipt: z.object({ format: z.string(), key_id: z.string(), signature: z.string() }).optional(),
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
