import type { GraphBuilder } from '@steward/graphql';

/** Shapes only: lengths, times and characters are judged by the verb, whose faults have codes of their own. */
export function ingestInput(builder: GraphBuilder) {
  const principal = builder.inputType('AuditPrincipalInput', {
    fields: (t) => ({
      principalType: t.string({ required: true, description: 'user, agent, service or system.' }),
      principalId: t.string({ required: true }),
      displayName: t.string({ description: 'Accepted but not stored: the server looks up names when it answers.' }),
    }),
  });
  return builder.inputType('IngestAuditEventInput', {
    fields: (t) => ({
      type: t.string({ required: true, description: 'Dotted and in lower case, such as domain.entity.action.' }),
      eventVersion: t.string({ required: true, description: 'A semantic version.' }),
      grammar: t.string({ required: true }),
      source: t.string({ required: true }),
      sourceSystem: t.string(),
      payload: t.field({ type: 'JSON', required: true }),
      dimensionalTags: t.field({ type: 'JSON' }),
      principalChain: t.field({ type: [principal], required: true }),
      occurredAt: t.string({ required: true, description: 'RFC 3339 with any offset.' }),
      causalId: t.string(),
      correlationId: t.string(),
      idempotencyKey: t.string({ description: '8 to 200 characters.' }),
      sourceEventId: t.string(),
    }),
  });
}
