import { type Guard, inSnake, type Route, route } from '@steward/contract';
import type { Admitted } from '../events/routes.ts';
import { chain, readChain } from './head.ts';

const shown = inSnake(chain);

export const chainRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/chain',
    does: { pillar: 'accounting', tier: 'read' },
    summary: "Read the head of the tenant's chain",
    tag: 'Audit',
    guard,
    answers: { 200: { description: 'Genesis, head, and the last sealed day', schema: shown.schema } },
    handle: async ({ guard: { context } }) => ({ status: 200, body: shown.of(await readChain(context)) }),
  }),
];
