import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { archiveTaxZone } from './archive-zone.ts';
import { createTaxZones } from './create-zones.ts';
import { listTaxZones } from './list-zones.ts';
import { changeTaxSettings, getTaxSettings } from './settings.ts';
import { updateTaxZone } from './update-zone.ts';

const one = { 200: 'The tax zone.' };

export function taxRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Tax zones' });
  return [
    rest('GET', '/api/tax-zones', listTaxZones, {
      summary: 'List tax zones',
      answers: { 200: 'A page of tax zones.' },
    }),
    rest('POST', '/api/tax-zones', createTaxZones, {
      summary: 'Add tax zones',
      description: 'All of them are added or none. The most specific zone of an address counts.',
      answers: { 201: 'The tax zones.' },
    }),
    rest('PATCH', '/api/tax-zones/:taxZoneId', updateTaxZone, {
      summary: 'Change a tax zone',
      description: 'Members that are not given stay as they are.',
      answers: one,
    }),
    rest('POST', '/api/tax-zones/:taxZoneId/archive', archiveTaxZone, { summary: 'Archive a tax zone', answers: one }),
    rest('GET', '/api/tax-settings', getTaxSettings, {
      summary: 'Read the tax settings',
      answers: { 200: 'The tax settings.' },
    }),
    rest('PATCH', '/api/tax-settings', changeTaxSettings, {
      summary: 'Change the tax settings',
      description: 'Members that are not given stay as they are.',
      answers: { 200: 'The tax settings.' },
    }),
  ];
}
