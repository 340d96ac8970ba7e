import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { changedMembers, inLog } from '../changed.ts';
import { contentOf } from '../contents.ts';
import { checkoutFail } from '../errors.ts';
import { event } from '../events.ts';
import { requireRoom } from '../limits.ts';
import { Faults } from '../money.ts';
import { taxes } from '../operations.ts';
import { readCodes } from '../places/read-codes.ts';
import { readRates, taxesOf } from './read-given.ts';
import { byZone, given, holdZone, placeTaken, taxZone } from './zone.ts';

/**
 * Changes what is given and nothing else. Orders keep the tax that they were charged.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `archived`, `tax_zone_taken` (409)
 */
export const updateTaxZone = operation(
  {
    ...taxes,
    name: 'service_update_tax_zone',
    input: z.strictObject({
      ...byZone,
      ...given,
      name: given.name.optional(),
      country: given.country.optional(),
      postcodes: given.postcodes.meta({ description: 'The whole list: it replaces the present one. Empty: all.' }),
      rates: given.rates
        .optional()
        .meta({ description: 'The whole list, with `standard`: it replaces the present rates.' }),
    }),
    answer: taxZone.answer,
    errors: ['not_found', 'archived', 'tax_zone_taken'],
  },
  async (scope, { taxZoneId, ...asked }) =>
    scope.write(async (tx) => {
      const before = await holdZone(tx, taxZoneId);
      if (before.archived) throw checkoutFail('archived', 'The tax zone is archived: create another one.');
      const faults = new Faults();
      const { postcodes, rates } = asked;
      const change = {
        ...asked,
        postcodes:
          postcodes === undefined
            ? undefined
            : readCodes(faults, '/postcodes', postcodes, asked.country ?? before.country),
        // A rate that stays may name a tax that is archived by now.
        rates:
          rates === undefined ? undefined : readRates(faults, '/rates', rates, await taxesOf(tx, rates, before.rates)),
      };
      faults.throw();
      const changed = changedMembers(before, change);
      if (changed.length === 0) return asItWas(before);
      const next = {
        ...before,
        ...Object.fromEntries(changed.map((member) => [member, change[member as keyof typeof change]])),
      };
      // Nobody else takes the place meanwhile.
      await requireRoom(tx, 'tax_zone', 0);
      const [taken] = await tx.query(
        statement(
          `select from checkout.tax_zone z where z.tenant_id = $1::uuid and z.tax_zone_id <> $2::uuid and z.archived_at is null
             and z.country = $3 and z.region is not distinct from $4 and cardinality(z.postcodes) = 0 and cardinality($5::text[]) = 0`,
          [tx.context.tenant, taxZoneId, next.country, next.region, next.postcodes],
        ),
      );
      if (taken !== undefined) throw placeTaken(changed.includes('region') ? '/region' : '/country');
      const [row] = await tx.query(
        statement(
          `update checkout.tax_zone z set name = $3, country = $4, region = $5, postcodes = $6::text[], rates = $7::jsonb,
             version = version + 1, updated_at = clock_timestamp()
           where z.tenant_id = $1::uuid and z.tax_zone_id = $2::uuid returning ${taxZone.columns}`,
          [
            tx.context.tenant,
            taxZoneId,
            next.name,
            next.country,
            next.region,
            next.postcodes,
            JSON.stringify(next.rates),
          ],
        ),
      );
      const after = taxZone.read(row ?? {});
      tx.record(
        event('commerce.tax_zone.updated', {
          tax_zone_id: after.id,
          fields: inLog(changed),
          version: after.version,
          content_sha256: await contentOf(tx, 'tax_zone', after.id),
        }),
      );
      return after;
    }),
);
