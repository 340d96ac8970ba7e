import { type Guard, type Route, route } from '@steward/contract';
import { z } from 'zod';
import type { Admitted } from '@steward/audit';
import { tlogProof } from './proof.ts';
import type { Prove } from './prove.ts';
import type { GiveReceipt } from './receipt.ts';
import { proofSchema, receiptSchema } from './schema.ts';

export const proofRoutes = (guard: Guard<Admitted>, prove: Prove, giveReceipt: GiveReceipt): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/events/:id/proof',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'The proof that an event stands in a sealed day',
    description:
      'To be checked offline with nothing but the public key: the event, its place, the path to the root of the day and ' +
      'the signed checkpoint. `format=tlog-proof` answers text in the form of c2sp.org/tlog-proof; its entry is the row ' +
      'hash. The day must be sealed.',
    tag: 'Audit',
    guard,
    params: z.object({ id: z.string() }),
    query: z.strictObject({ format: z.enum(['json', 'tlog-proof']).optional() }),
    answers: { 200: { description: 'The proof', schema: proofSchema, types: ['text/plain'] } },
    errors: ['not_found', 'not_sealed', 'audit_mismatch'],
    handle: async ({ guard: { context }, params: { id }, query: { format } }) => {
      const proof = await prove(context, id);
      return format === 'tlog-proof'
        ? { status: 200, text: tlogProof(proof), type: 'text/plain; charset=utf-8' }
        : { status: 200, body: proof };
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit/events/:id/receipt',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'The signed place of an event whose day is not sealed yet',
    description:
      'To be checked offline with nothing but the public key: the event, its place in the chain, and our signature over them. ' +
      'A chain that says anything else later was changed. Once the day is sealed, ask for the proof.',
    tag: 'Audit',
    guard,
    params: z.object({ id: z.string() }),
    answers: { 200: { description: 'The receipt', schema: receiptSchema } },
    errors: ['not_found', 'day_sealed', 'audit_mismatch', 'receipt_unavailable'],
    handle: async ({ guard: { context }, params: { id } }) => ({ status: 200, body: await giveReceipt(context, id) }),
  }),
];
