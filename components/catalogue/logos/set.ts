import { asItWas, operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { sourceInput } from '../media/add.ts';
import { holdMedia } from '../media/keep.ts';
import { turnWithin } from '../media/turn.ts';
import { changes } from '../operations.ts';
import { wanted } from './fit.ts';
import { brandLogo, byBrand, dropLogos, logoChanged, logosOf, noBrand, presentLogo } from './logo.ts';

/**
 * Gives a brand the picture at an address as its logo. It is fetched once, soon afterwards; until then the brand shows what it had. The
 * address that it has already is not fetched again.
 * @throws Problem `not_found` (404)
 */
export const setBrandLogo = operation(
  {
    ...changes,
    name: 'service_set_brand_logo',
    input: z.strictObject({
      ...byBrand,
      url: sourceInput.meta({ description: `A public https address of ${wanted}.` }),
    }),
    answer: brandLogo,
    errors: { insufficient_role: null, not_found: 'brandId' },
  },
  async (scope, { brandId, url }, { brandIn, mediaAt, wakeFetcher }: CatalogueDeps) =>
    scope.write(async (tx) => {
      await holdMedia(tx);
      const { tenant } = tx.context;
      if ((await brandIn(tx, brandId)) === undefined) throw noBrand();
      const before = await logosOf(tx.query, tenant, brandId);
      const others = before.filter(({ digest }) => digest === null);
      const last = others[0] ?? before[0];
      if (last?.source === url && last.failure === null) return asItWas(presentLogo(brandId, before, mediaAt));
      await dropLogos(tx, brandId, others);
      const mediumId = newId();
      await tx.queryAll([
        sql`insert into catalogue.medium (tenant_id, medium_id, brand_id, position, alt, source, next_at)
          values (${tenant}::uuid, ${mediumId}::uuid, ${brandId}::uuid, 0, '', ${url}, clock_timestamp())`,
        turnWithin(tenant, 0),
      ]);
      await logoChanged(tx, brandId, mediumId);
      tx.afterCommit(wakeFetcher);
      return presentLogo(brandId, await logosOf(tx.query, tenant, brandId), mediaAt);
    }),
);
