import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { booksFail } from '../errors.ts';
import { event } from '../events.ts';
import { writes } from '../operations.ts';
import { tax } from './tax.ts';

/** What asks for taxes elsewhere. */
export interface TaxPorts {
  /** Names of tax zones in use that ask for a tax. Zones are the checkout's. */
  readonly zonesTaxedBy: (tx: TenantTransaction, taxId: string) => Promise<readonly string[]>;
}

/**
 * Takes a tax out of use; documents that carry it keep it. Archived already is success.
 * @throws Problem `not_found` (404), `tax_in_use` (409): a shop asks for it
 */
export const archiveTax = operation(
  {
    ...writes,
    area: 'sales',
    name: 'service_archive_tax_rate',
    input: z.strictObject({ taxId: z.uuid().meta({ description: 'From service_list_tax_rates.' }) }),
    answer: tax.answer,
    errors: { not_found: null, tax_in_use: 'taxId' },
  },
  async (scope, { taxId }, { zonesTaxedBy }: TaxPorts) =>
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
        const zones = await zonesTaxedBy(tx, taxId);
        if (zones.length > 0)
          throw booksFail(
            'tax_in_use',
            `Tax zones of the shop ask for this tax (${zones.join(', ')}): give them another one first, with service_update_tax_zone.`,
          );
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
