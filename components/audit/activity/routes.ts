import { type Guard, inSnake, type Route, route } from '@steward/contract';
import { z } from 'zod';
import { namesAmong, type NamesOf } from '../events/names.ts';
import type { Admitted } from '../events/routes.ts';
import { displayNames } from '../events/schema.ts';
import { activity, mostDays, readActivity } from './read.ts';

const counts = inSnake(z.object({ items: z.array(activity), displayNames }));

export const activityRoutes = (guard: Guard<Admitted>, namesOf: NamesOf): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/activity',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'Count the events of the last days',
    description:
      'How many events there were on each day, by the agent that acted, and how many calls were refused; the latest day first. Of the agents of a day, ' +
      'the 50 that did most are told one by one. Counts are for looking: a decision reads the events.',
    tag: 'Audit',
    guard,
    query: z.strictObject({
      days: z
        .string()
        .regex(/^[1-9]\d?$/, `Give an integer from 1 to ${mostDays}`)
        .transform(Number)
        .refine((days) => days <= mostDays, `Give an integer from 1 to ${mostDays}`)
        .optional()
        .meta({ description: 'With today; 30 if left out.' }),
    }),
    answers: { 200: { description: 'Counts', schema: counts.schema } },
    handle: async ({ guard: { context }, query }) => {
      const items = await readActivity(context, query.days ?? 30);
      const agents = items.flatMap(({ agent }) =>
        agent === null ? [] : [{ principalType: 'agent' as const, principalId: agent }],
      );
      const names = await namesOf(agents, context);
      return { status: 200, body: counts.of({ items, displayNames: namesAmong(names, agents) }) };
    },
  }),
];
