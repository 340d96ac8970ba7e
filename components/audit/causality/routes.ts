import { type Guard, inSnake, type Route, route } from '@steward/contract';
import { z } from 'zod';
import { identifier } from '../events/filter.ts';
import { namesAmong, type NamesOf } from '../events/names.ts';
import type { Admitted } from '../events/routes.ts';
import { displayNames } from '../events/schema.ts';
import { mostCausal, readCausality } from './read.ts';
import { branch } from './tree.ts';

const tree = inSnake(
  z.object({
    correlationId: z.string(),
    truncated: z.boolean(),
    items: z.array(branch.extend({ displayNames })),
  }),
);

export const causalityRoutes = (guard: Guard<Admitted>, namesOf: NamesOf): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/causality',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'Read the causes and effects of one correlation id',
    description:
      `The first ${mostCausal} events of the correlation as a flat tree: each event comes before its effects and has its ` +
      'depth. An event without `parent_id` is a root. If a root has a `causal_id`, its cause is outside the correlation, ' +
      'or a cycle of causes was cut there.',
    tag: 'Audit',
    guard,
    query: z.strictObject({ correlation_id: identifier }),
    answers: {
      200: { description: 'The tree; empty if no event has that correlation id', schema: tree.schema },
    },
    handle: async ({ guard: { context }, query }) => {
      const { correlationId, events, truncated } = await readCausality(context, query.correlation_id);
      const names = await namesOf(
        events.flatMap(({ principalChain }) => principalChain),
        context,
      );
      const items = events.map((branch) => ({ ...branch, displayNames: namesAmong(names, branch.principalChain) }));
      return { status: 200, body: tree.of({ correlationId, truncated, items }) };
    },
  }),
];
