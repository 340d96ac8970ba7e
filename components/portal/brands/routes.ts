import { pageOf, pageQuery, route, type Route } from '@steward/contract';
import { z } from 'zod';
import { uuidParam, type MemberGuards } from '../door.ts';
import { archiveBrand } from './archive.ts';
import { createBrand } from './create.ts';
import { listBrands } from './list.ts';
import { renameBrand } from './rename.ts';

const brand = z.object({ id: z.uuid(), name: z.string(), isDefault: z.boolean(), createdAt: z.string() });
const named = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted'),
});

export const brandRoutes = ({ member, agents }: MemberGuards): Route[] => [
  route({
    method: 'GET',
    path: '/api/brands',
    does: 'service_list_brands',
    summary: 'List brands',
    tag: 'Brands',
    guard: agents,
    query: pageQuery(),
    answers: {
      200: {
        description: 'A page of brands.',
        schema: pageOf(brand),
      },
    },
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: await listBrands(context, query),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/brands',
    does: 'for_people',
    summary: 'Create a brand',
    tag: 'Brands',
    guard: member,
    body: named,
    answers: { 201: { description: 'The brand.', schema: brand } },
    handle: async ({ guard: { context }, body }) => ({ status: 201, body: await createBrand(context, body.name) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/brands/:brandId',
    does: 'for_people',
    summary: 'Rename a brand',
    tag: 'Brands',
    guard: member,
    params: uuidParam('brandId'),
    body: named,
    answers: { 200: { description: 'The brand.', schema: brand } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params, body }) => ({
      status: 200,
      body: await renameBrand(context, params['brandId'] ?? '', body.name),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/api/brands/:brandId',
    does: 'for_people',
    summary: 'Archive a brand',
    tag: 'Brands',
    guard: member,
    params: uuidParam('brandId'),
    answers: { 204: { description: 'Archived.' } },
    errors: ['not_found', 'default_brand'],
    handle: async ({ guard: { context }, params }) => {
      await archiveBrand(context, params['brandId'] ?? '');
      return { status: 204 };
    },
  }),
];
