import { type Guard, type Route, route } from '@steward/contract';
import { z } from 'zod';
import { identifier } from '../events/filter.ts';
import { type Names, namesAmong, type NamesOf } from '../events/names.ts';
import { presentPrincipal } from '../events/present.ts';
import type { Admitted } from '../events/routes.ts';
import { displayNamesSchema, principalSchema } from '../events/schema.ts';
import { mostCausal, readCausality } from './read.ts';
import type { Branch } from './tree.ts';

export const causalityRoutes = (guard: Guard<Admitted>, namesOf: NamesOf): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/causality',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'What came of what, for one correlation id',
    description:
      `The first ${mostCausal} events of the correlation as a tree, flat: each event before those it caused, with the ` +
      'step it stands at. Without `parent_id` it is a root; with a `causal_id` nevertheless, its cause is elsewhere, or ' +
      'a circle of causes was cut there.',
    tag: 'Audit',
    guard,
    query: z.strictObject({ correlation_id: identifier }),
    answers: {
      200: {
        description: 'The tree; empty where no event has that correlation id',
        schema: z.object({
          correlation_id: z.string(),
          truncated: z.boolean(),
          items: z.array(
            z.object({
              id: z.uuid(),
              type: z.string(),
              sequence: z.int(),
              occurred_at: z.iso.datetime(),
              received_at: z.iso.datetime(),
              principal_chain: z.array(principalSchema),
              display_names: displayNamesSchema,
              causal_id: z.string().optional(),
              parent_id: z.uuid().optional(),
              depth: z.int().min(0),
              children: z.array(z.uuid()),
            }),
          ),
        }),
      },
    },
    handle: async ({ guard: { context }, query }) => {
      const { correlationId, events, truncated } = await readCausality(context, query.correlation_id);
      const names = await namesOf(
        events.flatMap(({ principalChain }) => principalChain),
        context,
      );
      const items = events.map((branch) => present(branch, names));
      return { status: 200, body: { correlation_id: correlationId, truncated, items } };
    },
  }),
];

const present = (branch: Branch, names: Names) => ({
  id: branch.id,
  type: branch.type,
  sequence: branch.sequence,
  occurred_at: branch.occurredAt,
  received_at: branch.receivedAt,
  principal_chain: branch.principalChain.map(presentPrincipal),
  display_names: namesAmong(names, branch.principalChain),
  causal_id: branch.causalId,
  parent_id: branch.parentId,
  depth: branch.depth,
  children: branch.children,
});
