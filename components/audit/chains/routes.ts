import { type Guard, type Route, route } from '@steward/contract';
import { z } from 'zod';
import type { Admitted } from '../events/routes.ts';
import { readChain } from './head.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const chainRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/chain',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'Where the chain of the tenant stands',
    tag: 'Audit',
    guard,
    answers: {
      200: {
        description: 'Genesis, head, and the last sealed day',
        schema: z.object({
          tenant_id: z.uuid(),
          genesis: hash,
          head: z.object({ sequence: z.int(), row_hash: hash, received_at: z.iso.datetime() }).nullable(),
          sealed_through: z.iso.date().nullable(),
        }),
      },
    },
    handle: async ({ guard: { context } }) => {
      const { tenantId, genesis, head, sealedThrough } = await readChain(context);
      return {
        status: 200,
        body: {
          tenant_id: tenantId,
          genesis,
          head:
            head === undefined
              ? null
              : { sequence: head.sequence, row_hash: head.rowHash, received_at: head.receivedAt },
          sealed_through: sealedThrough ?? null,
        },
      };
    },
  }),
];
