import { asItWas, operation } from '@steward/access';
import { fail, newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail } from '../errors.ts';
import { bytesOf, digestOf, dropPictures, holdMedia, keepPicture } from '../media/keep.ts';
import { explained } from '../media/pictures.ts';
import { changes } from '../operations.ts';
import { fitting, wanted } from './fit.ts';
import { brandLogo, byBrand, dropLogos, logoChanged, logosOf, noBrand, presentLogo } from './logo.ts';

/**
 * Gives a brand a picture as its logo, in place of what it has or waits for.
 * @throws Problem `not_found` (404), `logo_unusable` (422), `quota_exceeded` (403), `unavailable` (503)
 */
export const uploadBrandLogo = operation(
  {
    ...changes,
    name: '',
    input: z.strictObject({ ...byBrand, content: z.instanceof(Buffer) }),
    answer: brandLogo,
    errors: { insufficient_role: null, not_found: 'brandId', logo_unusable: null },
  },
  async (scope, { brandId, content }, { brandIn, brandName, pictures, mediaAt }: CatalogueDeps) => {
    const { context } = scope;
    if (content.length === 0) throw fail('invalid_request', 'The body is empty: send the picture as the body.');
    if ((await brandName(scope, brandId)) === undefined) throw noBrand();
    // What takes a picture holds it in memory, so that a tenant takes so many at a time.
    context.spend('uploads', 1);
    try {
      const read = await pictures.read(content, context.tenant);
      if (typeof read === 'string') throw catalogueFail('logo_unusable', `${explained(read)} Give ${wanted}.`);
      const picture = fitting(read, content.length);
      if (picture === undefined)
        throw catalogueFail(
          'logo_unusable',
          `The picture has ${read.width} × ${read.height} pixels, or is of another kind. Give ${wanted}.`,
        );
      context.spend('attachmentBytes', bytesOf(picture));
      return await scope.write(async (tx) => {
        await holdMedia(tx);
        const { tenant } = tx.context;
        if ((await brandIn(tx, brandId)) === undefined) throw noBrand();
        const before = await logosOf(tx.query, tenant, brandId);
        const digest = digestOf(tenant, picture);
        if (before.length === 1 && before[0]?.digest === digest) return asItWas(presentLogo(brandId, before, mediaAt));
        const mediumId = newId();
        await keepPicture(tx, picture);
        const gone = await dropLogos(tx, brandId, before);
        await tx.query(sql`
          insert into catalogue.medium (tenant_id, medium_id, brand_id, position, alt, digest)
          values (${tenant}::uuid, ${mediumId}::uuid, ${brandId}::uuid, 0, '', ${digest})`);
        await dropPictures(tx, gone);
        await logoChanged(tx, brandId, mediumId);
        return presentLogo(brandId, await logosOf(tx.query, tenant, brandId), mediaAt);
      });
    } finally {
      context.spend('uploads', -1);
    }
  },
);
