import { operation } from '@steward/access';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { branding } from '../operations.ts';
import { unknownBrand } from './brand.ts';

/**
 * Ends what a component serves under a brand, in the transaction that archives the brand. What only its owner can end is
 * left, and said in the answer: a sentence that says how. Then the brand is not archived.
 */
export type CloseBrand = (tx: TenantTransaction, brandId: string) => Promise<string | undefined>;

/**
 * Takes a brand out of use, with all that sells under it; nothing is deleted. Archived already is success.
 * @throws Problem `not_found` (404), `default_brand`, `brand_in_use` (409)
 */
export const archiveBrand = operation(
  {
    ...branding,
    input: z.strictObject({ brandId: z.uuid() }),
    answer: z.void(),
    errors: ['not_found', 'default_brand', 'brand_in_use'],
  },
  async (scope, { brandId }, { closeBrand }: { readonly closeBrand: readonly CloseBrand[] }) =>
    scope.write(async (tx) => {
      const [row] = await tx.query<{ is_default: boolean; archived: boolean }>(sql`
        select is_default, archived_at is not null as archived from portal.brand where brand_id = ${brandId}::uuid for update`);
      if (row === undefined) throw unknownBrand();
      if (row.is_default) throw portalFail('default_brand');
      for (const close of closeBrand) {
        const left = await close(tx, brandId);
        if (left !== undefined) throw portalFail('brand_in_use', left);
      }
      if (row.archived) return;
      await tx.query(sql`update portal.brand set archived_at = clock_timestamp() where brand_id = ${brandId}::uuid`);
      tx.record(event('portal.brand.archived', { brand_id: brandId }));
    }),
);
