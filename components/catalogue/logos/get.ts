import { operation } from '@steward/access';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { reads } from '../operations.ts';
import { brandLogo, byBrand, logosOf, noBrand, presentLogo } from './logo.ts';

/** @throws Problem `not_found` (404) */
export const getBrandLogo = operation(
  {
    ...reads,
    name: 'service_get_brand_logo',
    input: z.strictObject(byBrand),
    answer: brandLogo,
    errors: { insufficient_role: null, not_found: 'brandId' },
  },
  async (scope, { brandId }, { brandName, mediaAt }: CatalogueDeps) => {
    const [name, rows] = await Promise.all([
      brandName(scope, brandId),
      logosOf(scope.read, scope.context.tenant, brandId),
    ]);
    if (name === undefined) throw noBrand();
    return presentLogo(brandId, rows, mediaAt);
  },
);
