import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { writes } from '../operations.ts';
import { tax } from './tax.ts';

/** Takes a tax out of use; documents that carry it keep it. Archived already is success. @throws Problem `not_found` (404) */
export const archiveTax = operation(
  {
    ...writes,
    area: 'sales',
    name: 'service_archive_tax_rate',
    input: z.strictObject({ taxId: z.uuid().meta({ description: 'From service_list_tax_rates.' }) }),
    answer: tax.answer,
    errors: ['not_found'],
  },
  async (scope, { taxId }) =>
    scope.write(async (tx) => {
      const values = [tx.context.tenant, taxId];
      const [archived] = await tx.query(
        statement(
          `update accounting.tax t set archived_at = clock_timestamp()
           where t.tenant_id = $1::uuid and t.tax_id = $2::uuid and t.archived_at is null returning ${tax.columns}`,
          values,
        ),
      );
      if (archived !== undefined) {
        tx.record(event('accounting.tax.archived', { tax_id: taxId }));
        return tax.read(archived);
      }
      const [known] = await tx.query(
        statement(
          `select ${tax.columns} from accounting.tax t where t.tenant_id = $1::uuid and t.tax_id = $2::uuid`,
          values,
        ),
      );
      if (known === undefined)
        throw fail('not_found', 'There is no such tax rate in this tenant: list the tax rates for their ids.');
      return asItWas(tax.read(known));
    }),
);
