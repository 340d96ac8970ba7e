import { asItWas, operation } from '@steward/access';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { dropPictures, holdMedia } from '../media/keep.ts';
import { changes } from '../operations.ts';
import { brandLogo, byBrand, dropLogos, logosOf, noBrand, presentLogo } from './logo.ts';

/** Takes the logo off a brand, and what waits to be one: letters and pages show its name alone. @throws Problem `not_found` (404) */
export const removeBrandLogo = operation(
  {
    ...changes,
    name: 'service_remove_brand_logo',
    input: z.strictObject(byBrand),
    answer: brandLogo,
    errors: { insufficient_role: null, not_found: 'brandId' },
  },
  async (scope, { brandId }, { brandName, mediaAt }: CatalogueDeps) =>
    scope.write(async (tx) => {
      await holdMedia(tx);
      const { context, query } = tx;
      if ((await brandName({ context, read: query }, brandId)) === undefined) throw noBrand();
      const rows = await logosOf(query, context.tenant, brandId);
      const answer = presentLogo(brandId, [], mediaAt);
      if (rows.length === 0) return asItWas(answer);
      await dropPictures(tx, await dropLogos(tx, brandId, rows));
      return answer;
    }),
);
