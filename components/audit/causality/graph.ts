import type { GraphBuilder } from '@steward/graphql';
import { doing, objectOf, taking, weigh } from '@steward/graphql/field';
import { z } from 'zod';
import { identifier } from '../events/filter.ts';
import { causality, mostCausal, readCausality } from './read.ts';
import { branch } from './tree.ts';

/** Adds `auditCausality`, behind the type of principals. */
export function causalityGraph(builder: GraphBuilder): void {
  objectOf(builder, 'AuditCausalEvent', branch, {
    description: 'An event of a correlation.',
    members: {
      sequence: { type: 'BigInt' },
      principalChain: { extensions: weigh({ size: 4 }) },
      causalId: 'As it was recorded.',
      parentId:
        'null at a root: the event has no cause, its cause is outside the correlation, or a cycle of causes was cut here.',
      depth: 'Steps from the root.',
      children: { description: 'The events that this event caused.', extensions: weigh({ size: 4 }) },
    },
  });
  const tree = objectOf(builder, 'AuditCausality', causality, {
    description: 'The causes and effects among the events of one correlation id.',
    members: {
      events: {
        description: `Each event before its effects; the first ${mostCausal} of the correlation.`,
        extensions: weigh({ size: mostCausal }),
      },
      truncated: 'Whether the correlation has more events.',
    },
  });
  builder.queryFields((t) => ({
    auditCausality: t.field({
      extensions: doing({ pillar: 'accounting', tier: 'read' }),
      type: tree,
      ...taking(builder, z.strictObject({ correlationId: identifier }), async ({ correlationId }, { tenant }) =>
        readCausality(tenant, correlationId),
      ),
    }),
  }));
}
