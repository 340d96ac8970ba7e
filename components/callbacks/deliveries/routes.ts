import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { ConnectionPorts } from '../deps.ts';
import { getDelivery, readBody } from './get.ts';
import { listDeliveries } from './list.ts';
import { rejectDelivery, replayDeliveries, retryDelivery } from './operate.ts';

export function deliveryRoutes(guard: ReturnType<Identity['tenant']>, ports: ConnectionPorts): Route[] {
  const rest = restOf({ guard, tag: 'Provider deliveries', ports });
  return [
    rest('GET', '/api/callbacks', listDeliveries, {
      summary: 'List deliveries of providers',
      description: 'Newest first: what each was about, whether it was carried out, what it became, and why not.',
      answers: { 200: 'A page of deliveries.' },
    }),
    rest('GET', '/api/callbacks/:deliveryId', getDelivery, {
      summary: 'Get a delivery of a provider',
      answers: { 200: 'The delivery.' },
    }),
    rest('GET', '/api/callbacks/:deliveryId/body', readBody, {
      summary: 'Get what a provider sent',
      description:
        'To the byte, with the headers that were kept, without credentials and signatures. For people alone: it may name customers.',
      answers: { 200: 'Body and headers; null once they are forgotten.' },
    }),
    rest('POST', '/api/callbacks/:deliveryId/retry', retryDelivery, {
      summary: 'Try a delivery again',
      answers: { 200: 'The delivery.' },
    }),
    rest('POST', '/api/callbacks/:deliveryId/reject', rejectDelivery, {
      summary: 'Give a delivery up',
      answers: { 200: 'The delivery.' },
    }),
    rest('POST', '/api/callbacks/replay', replayDeliveries, {
      summary: 'Carry deliveries out again',
      description: 'By ids, or by time and other filters; 200 a call at most.',
      answers: { 200: 'Which ones, and whether there are more.' },
    }),
  ];
}
