import { operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { branding } from '../operations.ts';
import { brand, brandName, unknownBrand } from './brand.ts';

/** @throws Problem `not_found` (404) */
export const renameBrand = operation(
  {
    ...branding,
    input: z.strictObject({ brandId: z.uuid(), name: brandName }),
    answer: brand.answer,
    errors: ['not_found'],
  },
  async (scope, { brandId, name }) =>
    scope.write(async (tx) => {
      const [row] = await tx.query(
        statement(
          `update portal.brand b set name = $2 where brand_id = $1::uuid and archived_at is null returning ${brand.columns}`,
          [brandId, name],
        ),
      );
      if (row === undefined) throw unknownBrand();
      tx.record(event('portal.brand.renamed', { brand_id: brandId }));
      return brand.read(row);
    }),
);
