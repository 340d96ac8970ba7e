import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { approveReturn, rejectReturn } from './decide.ts';
import { getReturn, listReturns } from './list.ts';
import { receiveReturn } from './receive.ts';
import { requestReturn } from './request.ts';

const one = { 200: 'The return.' };

export function returnRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Returns' });
  return [
    rest('GET', '/api/returns', listReturns, {
      summary: 'List returns',
      answers: { 200: 'A page of returns, newest first.' },
    }),
    rest('GET', '/api/returns/:returnId', getReturn, { summary: 'Read a return', answers: one }),
    rest('POST', '/api/orders/:orderId/returns', requestReturn, {
      summary: 'Request a return',
      description: 'Of units that were sent and are in no other return.',
      answers: { 201: 'The return.' },
    }),
    rest('POST', '/api/returns/:returnId/approve', approveReturn, { summary: 'Approve a return', answers: one }),
    rest('POST', '/api/returns/:returnId/reject', rejectReturn, { summary: 'Reject a return', answers: one }),
    rest('POST', '/api/returns/:returnId/receive', receiveReturn, {
      summary: 'Receive a return',
      description: 'Undamaged units go back into stock.',
      answers: one,
    }),
  ];
}
