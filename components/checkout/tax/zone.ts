import { count, field, flag, id, line, moment, nullable, type Of, shape, text, texts } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { checkoutFail } from '../errors.ts';
import { country, regionGiven } from '../places/address.ts';
import { postcodes } from '../places/place.ts';
import { taxCategory } from './category.ts';

const mostRates = 20;

const rate = z.object({
  category: z.string(),
  /** Null: exempt there. */
  taxId: z.uuid().nullable(),
  /** Of the tax, which never changes it, such as `7.25`; exempt: `0`. */
  percentage: z.string(),
});
export type Rate = Readonly<z.output<typeof rate>>;

/** Where which tax is asked for: of `checkout.tax_zone` named `z`. */
export const taxZone = shape('z', {
  id: id('z.tax_zone_id'),
  name: text(),
  country: text(),
  region: nullable(text()),
  postcodes: texts(),
  rates: field(z.array(rate)),
  archived: flag('z.archived_at is not null'),
  /** Counts changes. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type TaxZone = Of<typeof taxZone>;

export const byZone = { taxZoneId: z.uuid().meta({ description: 'From service_list_tax_zones.' }) };

export const rateGiven = z.strictObject({
  category: taxCategory,
  taxId: z.uuid().nullable().meta({ description: 'From service_list_tax_rates. null: exempt in this zone.' }),
});

/** What is given of a zone. */
export const given = {
  name: line(100).meta({ description: 'Name that people use, such as `Germany`.' }),
  country,
  region: regionGiven,
  postcodes: postcodes.optional(),
  rates: z.array(rateGiven).min(1).max(mostRates).meta({
    description: 'The tax of each category. `standard` is required, and counts for categories that are not listed.',
  }),
};

/** Zones of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectZones = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${taxZone.columns} from checkout.tax_zone z where z.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** The zone, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdZone(tx: TenantTransaction, zoneId: string): Promise<TaxZone> {
  const [row] = await tx.query(selectZones('z.tax_zone_id = $2::uuid for no key update', tx.context.tenant, zoneId));
  if (row === undefined)
    throw fail('not_found', 'There is no such tax zone in this tenant: list the tax zones for their ids.');
  return taxZone.read(row);
}

export const placeTaken = (pointer: string): Error => {
  const detail = 'Another tax zone has the same country and region: change that one, or archive it first.';
  return checkoutFail('tax_zone_taken', detail, { errors: [{ pointer, code: 'tax_zone_taken', detail }] });
};
