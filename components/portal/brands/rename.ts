import { operation } from '@steward/access';
import { sql, statement } from '@steward/sql';
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
      const [held] = await tx.query(
        statement(
          `select ${brand.columns} from portal.brand b where brand_id = $1::uuid and archived_at is null for update`,
          [brandId],
        ),
      );
      if (held === undefined) throw unknownBrand();
      const before = brand.read(held);
      if (before.name === name) return before;
      await tx.query(sql`update portal.brand set name = ${name} where brand_id = ${brandId}::uuid`);
      tx.record(event('portal.brand.renamed', { brand_id: brandId }));
      return { ...before, name };
    }),
);
