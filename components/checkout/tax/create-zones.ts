import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { event } from '../events.ts';
import { requireRoom } from '../limits.ts';
import { Faults } from '../money.ts';
import { taxes } from '../operations.ts';
import { readCodes } from '../places/read-codes.ts';
import { readRates, taxesOf } from './read-given.ts';
import { given, placeTaken, taxZone, type TaxZone } from './zone.ts';

const mostAtOnce = 100;

/**
 * Adds zones, all of them or none.
 * @throws Problem `invalid_request` (400) with pointers, `tax_zone_taken`, `selling_limit` (409)
 */
export const createTaxZones = operation(
  {
    ...taxes,
    name: 'service_create_tax_zones',
    input: z.strictObject({
      zones: z
        .array(z.strictObject(given))
        .min(1)
        .max(mostAtOnce)
        .meta({ description: `Up to ${mostAtOnce} zones, added together or not at all.` }),
    }),
    answer: z.object({ items: z.array(taxZone.answer) }),
    errors: ['tax_zone_taken', 'selling_limit'],
  },
  async (scope, { zones }) =>
    scope.write(async (tx) => {
      const faults = new Faults();
      const known = await taxesOf(
        tx,
        zones.flatMap(({ rates }) => rates),
      );
      const read = zones.map((zone, index) => ({
        ...zone,
        postcodes: readCodes(faults, `/zones/${index}/postcodes`, zone.postcodes ?? [], zone.country),
        rates: readRates(faults, `/zones/${index}/rates`, zone.rates, known),
      }));
      faults.throw();
      await requireRoom(tx, 'tax_zone', zones.length);
      const items: TaxZone[] = [];
      for (const [index, { name, country, region, postcodes, rates }] of read.entries()) {
        const [row] = await tx.query(
          statement(
            `insert into checkout.tax_zone as z (tenant_id, tax_zone_id, name, country, region, postcodes, rates)
             values ($1::uuid, $2::uuid, $3, $4, $5, $6::text[], $7::jsonb) on conflict do nothing returning ${taxZone.columns}`,
            [tx.context.tenant, newId(), name, country, region ?? null, postcodes, JSON.stringify(rates)],
          ),
        );
        if (row === undefined) throw placeTaken(`/zones/${index}`);
        const made = taxZone.read(row);
        tx.record(
          event('commerce.tax_zone.created', {
            tax_zone_id: made.id,
            content_sha256: await contentOf(tx, 'tax_zone', made.id),
          }),
        );
        items.push(made);
      }
      return { items };
    }),
);
