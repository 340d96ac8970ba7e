import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard } from '../door.ts';
import type { StockPorts } from '../ports.ts';
import { createLocation } from './create.ts';
import { listLocations } from './list.ts';
import { updateLocation } from './update.ts';

export function locationRoutes(guard: MemberGuard, ports: StockPorts): Route[] {
  const rest = restOf({ guard, tag: 'Stock', ports });
  return [
    rest('GET', '/api/locations', listLocations, {
      summary: 'List locations',
      answers: { 200: 'A page of locations, including archived ones.' },
    }),
    rest('POST', '/api/locations', createLocation, {
      summary: 'Create a location',
      answers: { 201: 'The location.' },
    }),
    rest('PATCH', '/api/locations/:locationId', updateLocation, {
      summary: 'Change, archive or restore a location',
      description:
        'Members that are not given stay as they are. A location is archived only when it is empty and nobody picks goods up there.',
      answers: { 200: 'The location.' },
    }),
  ];
}
