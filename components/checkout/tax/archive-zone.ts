import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { taxes } from '../operations.ts';
import { byZone, holdZone, taxZone } from './zone.ts';

/** Takes a zone out of use; orders keep the tax that they were charged. Archived already is success. @throws Problem `not_found` (404) */
export const archiveTaxZone = operation(
  {
    ...taxes,
    name: 'service_archive_tax_zone',
    input: z.strictObject(byZone),
    answer: taxZone.answer,
    errors: ['not_found'],
  },
  async (scope, { taxZoneId }) =>
    scope.write(async (tx) => {
      const before = await holdZone(tx, taxZoneId);
      if (before.archived) return asItWas(before);
      const [row] = await tx.query(
        statement(
          `update checkout.tax_zone z set archived_at = clock_timestamp()
           where z.tenant_id = $1::uuid and z.tax_zone_id = $2::uuid returning ${taxZone.columns}`,
          [tx.context.tenant, taxZoneId],
        ),
      );
      tx.record(event('commerce.tax_zone.archived', { tax_zone_id: before.id }));
      return taxZone.read(row ?? {});
    }),
);
