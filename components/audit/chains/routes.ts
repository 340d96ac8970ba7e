import { restOf } from '@steward/access';
import { type Guard, inSnake, type Route } from '@steward/contract';
import type { Admitted } from '../events/routes.ts';
import { reading } from '../operations.ts';
import { readChain } from './head.ts';

export const chainRoutes = (guard: Guard<Admitted>): Route[] => [
  restOf({ guard, tag: 'Audit' })('GET', '/api/audit/chain', readChain, {
    summary: "Read the head of the tenant's chain",
    does: reading,
    answers: { 200: 'Genesis, head, and the last sealed day' },
    shows: inSnake(readChain.answer),
  }),
];
