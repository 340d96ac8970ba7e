import { operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { tax } from './tax.ts';

/** Taxes by name; those in use, or all. There are few, so they come in one piece (200 at most). */
export const listTaxes = operation(
  {
    ...reads,
    area: 'sales',
    name: 'service_list_tax_rates',
    input: z.strictObject({ archived: z.boolean().default(false).meta({ description: 'true: archived ones too.' }) }),
    answer: z.array(tax.answer),
  },
  async (scope, { archived }) => {
    const rows = await scope.read(
      statement(
        `select ${tax.columns} from accounting.tax t where t.tenant_id = $1::uuid and ($2 or t.archived_at is null)
         order by lower(t.name), t.tax_id limit 200`,
        [scope.context.tenant, archived],
      ),
    );
    return rows.map(tax.read);
  },
);
