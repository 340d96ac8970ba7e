import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuards, PortalPorts } from '../door.ts';
import { archiveBrand } from './archive.ts';
import { createBrand } from './create.ts';
import { listBrands } from './list.ts';
import { updateBrand } from './update.ts';

export function brandRoutes(ports: Pick<PortalPorts, 'closeBrand'>, { member, agents }: MemberGuards): Route[] {
  const tag = 'Brands';
  const rest = restOf({ guard: member, tag, ports });
  return [
    restOf({ guard: agents, tag })('GET', '/api/brands', listBrands, {
      summary: 'List brands',
      answers: { 200: 'A page of brands.' },
    }),
    rest('POST', '/api/brands', createBrand, { summary: 'Create a brand', answers: { 201: 'The brand.' } }),
    rest('PATCH', '/api/brands/:brandId', updateBrand, {
      summary: 'Change a brand',
      description:
        'Its name, and its pages that buyers are led to before they buy: shopping agents show them with each checkout. What is left out stays; null takes a page away.',
      answers: { 200: 'The brand.' },
    }),
    rest('DELETE', '/api/brands/:brandId', archiveBrand, {
      summary: 'Archive a brand',
      description:
        'It is in no list any more, and sells nothing: its sites are disabled, and its doors for agents are closed. Nothing is deleted. While a shop elsewhere ' +
        'is connected to it, `brand_in_use`: disconnect the channel, or connect it once more with another brand.',
      answers: { 204: 'Archived.' },
    }),
  ];
}
