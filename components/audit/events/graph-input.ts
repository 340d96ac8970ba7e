import type { GraphBuilder } from '@steward/graphql';
import { inputOf } from '@steward/graphql/field';
import { z } from 'zod';

const text = z.string();

/** Shapes only: lengths, times and characters are judged by the verb, whose faults have codes of their own. */
const principal = z.strictObject({ principalType: text, principalId: text, displayName: text.optional() });
const event = z.strictObject({
  type: text,
  eventVersion: text,
  grammar: text,
  source: text,
  sourceSystem: text.optional(),
  payload: z.unknown(),
  dimensionalTags: z.unknown().optional(),
  principalChain: z.array(principal),
  occurredAt: text,
  causalId: text.optional(),
  correlationId: text.optional(),
  idempotencyKey: text.optional(),
  sourceEventId: text.optional(),
});

export function ingestInput(builder: GraphBuilder) {
  inputOf(builder, 'AuditPrincipalInput', principal, {
    members: {
      principalType: 'user, agent, service or system.',
      displayName: 'Accepted but not stored: the server looks up names when it answers.',
    },
  });
  inputOf(builder, 'IngestAuditEventInput', event, {
    members: {
      type: 'Dotted and in lower case, such as domain.entity.action.',
      eventVersion: 'A semantic version.',
      payload: { type: 'JSON' },
      dimensionalTags: { type: 'JSON' },
      occurredAt: 'RFC 3339 with any offset.',
      idempotencyKey: '8 to 200 characters.',
    },
  });
  return z.strictObject({ input: event });
}
