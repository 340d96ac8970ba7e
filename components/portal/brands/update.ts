import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { event } from '../events.ts';
import { branding } from '../operations.ts';
import { brand, brandName, linksGiven, unknownBrand } from './brand.ts';

/**
 * Changes what a brand is called, and where its pages are that buyers are led to. What is not given stays.
 * @throws Problem `not_found` (404)
 */
export const updateBrand = operation(
  {
    ...branding,
    input: z.strictObject({ brandId: z.uuid(), name: brandName.optional(), links: linksGiven.optional() }),
    answer: brand.answer,
    errors: ['not_found'],
  },
  async (scope, { brandId, name, links = {} }) =>
    scope.write(async (tx) => {
      const [held] = await tx.query(
        statement(
          `select ${brand.columns} from portal.brand b where brand_id = $1::uuid and archived_at is null for update`,
          [brandId],
        ),
      );
      if (held === undefined) throw unknownBrand();
      const before = brand.read(held);
      // Written as addresses are: agents take nothing else for one.
      const pages = Object.fromEntries(
        Object.entries({ ...before.links, ...links }).flatMap(([page, address]) =>
          typeof address === 'string' ? [[page, new URL(address).href]] : [],
        ),
      );
      const renamed = name !== undefined && name !== before.name;
      const led = !isDeepStrictEqual(pages, before.links);
      if (!renamed && !led) return asItWas(before);
      const [row = {}] = await tx.query(
        statement(
          `update portal.brand b set name = $2, links = $3::jsonb where brand_id = $1::uuid returning ${brand.columns}`,
          [brandId, name ?? before.name, JSON.stringify(pages)],
        ),
      );
      if (renamed) tx.record(event('portal.brand.renamed', { brand_id: brandId }));
      if (led) tx.record(event('portal.brand.links_changed', { brand_id: brandId, links: pages }));
      return brand.read(row);
    }),
);
