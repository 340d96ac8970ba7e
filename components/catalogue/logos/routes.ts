import { restOf } from '@steward/access';
import { type Guard, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { getBrandLogo } from './get.ts';
import { largest, logoTypes, mostBytes } from './fit.ts';
import { byBrand } from './logo.ts';
import { removeBrandLogo } from './remove.ts';
import { setBrandLogo } from './set.ts';
import { uploadBrandLogo } from './upload.ts';

export function logoRoutes(guard: Guard<Admitted>, ports: CatalogueDeps): Route[] {
  const tag = 'Logos';
  const rest = restOf({ guard, tag, ports });
  const answers = { 200: 'The logo.' };
  return [
    rest('GET', '/api/brands/:brandId/logo', getBrandLogo, { summary: 'Read the logo of a brand', answers }),
    rest('POST', '/api/brands/:brandId/logo', setBrandLogo, {
      summary: 'Give a brand the logo at an address',
      description:
        'It is fetched once, soon afterwards: read the logo for what became of it. Until then the brand shows what it had.',
      answers,
    }),
    route({
      method: 'PUT',
      path: '/api/brands/:brandId/logo',
      does: 'service_set_brand_logo',
      summary: 'Upload the logo of a brand',
      description:
        `The body is the picture itself: PNG or JPEG, up to ${mostBytes / 1024} kB and ${largest.width} × ${largest.height} pixels. ` +
        'It is kept upright, without what else is in the file.',
      tag,
      guard,
      params: z.strictObject(byBrand),
      upload: { types: logoTypes, mostBytes },
      answers: { 200: { description: 'The logo.', schema: uploadBrandLogo.answer } },
      errors: uploadBrandLogo.errors ?? [],
      handle: async ({ guard: { context }, params, request }) => {
        const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        return { status: 200, body: await uploadBrandLogo(context, { ...params, content }, ports) };
      },
    }),
    rest('DELETE', '/api/brands/:brandId/logo', removeBrandLogo, {
      summary: 'Take the logo off a brand',
      answers: { 200: 'The brand without a logo.' },
    }),
  ];
}
