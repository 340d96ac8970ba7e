import type { GraphBuilder } from '@steward/graphql';
import { doing, taking, weigh } from '@steward/graphql/field';
import { z } from 'zod';
import { identifier } from '../events/filter.ts';
import type { PrincipalObject } from '../events/graph-principal.ts';
import { type Causality, mostCausal, readCausality } from './read.ts';
import type { Branch } from './tree.ts';

/** Adds `auditCausality`. */
export function causalityGraph(builder: GraphBuilder, principal: PrincipalObject): void {
  const branch = builder.objectRef<Branch>('AuditCausalEvent').implement({
    description: 'An event of a correlation.',
    fields: (t) => ({
      id: t.exposeID('id'),
      type: t.exposeString('type'),
      sequence: t.expose('sequence', { type: 'BigInt' }),
      occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
      receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
      principalChain: t.expose('principalChain', { type: [principal], extensions: weigh({ size: 4 }) }),
      causalId: t.exposeString('causalId', { nullable: true, description: 'As it was recorded.' }),
      parentId: t.exposeID('parentId', {
        nullable: true,
        description:
          'null at a root: the event has no cause, its cause is outside the correlation, or a cycle of causes was cut here.',
      }),
      depth: t.exposeInt('depth', { description: 'Steps from the root.' }),
      children: t.exposeIDList('children', {
        description: 'The events that this event caused.',
        extensions: weigh({ size: 4 }),
      }),
    }),
  });
  const causality = builder.objectRef<Causality>('AuditCausality').implement({
    description: 'The causes and effects among the events of one correlation id.',
    fields: (t) => ({
      correlationId: t.exposeString('correlationId'),
      events: t.expose('events', {
        type: [branch],
        description: `Each event before its effects; the first ${mostCausal} of the correlation.`,
        extensions: weigh({ size: mostCausal }),
      }),
      truncated: t.exposeBoolean('truncated', { description: 'Whether the correlation has more events.' }),
    }),
  });
  builder.queryFields((t) => ({
    auditCausality: t.field({
      extensions: doing({ pillar: 'accounting', tier: 'read' }),
      type: causality,
      ...taking(builder, z.strictObject({ correlationId: identifier }), async ({ correlationId }, { tenant }) =>
        readCausality(tenant, correlationId),
      ),
    }),
  }));
}
