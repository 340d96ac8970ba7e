import { operation } from '@steward/access';
import { fail, money, newId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import type { CheckoutDeps } from '../deps.ts';
import { checkoutFail } from '../errors.ts';
import { event } from '../events.ts';
import { requireRoom } from '../limits.ts';
import { currency, Faults } from '../money.ts';
import { sells } from '../operations.ts';
import { kinds, shippingOption, type ShippingOption } from './option.ts';
import { columnsOf, readTerms, requireLocation, requireWhole, terms } from './terms.ts';
import { holdShippingZone } from './zone.ts';

/** @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `archived`, `selling_limit` (409) */
export const createShippingOption = operation(
  {
    ...sells,
    name: 'service_create_shipping_option',
    input: z.strictObject({
      shippingZoneId: z
        .uuid()
        .optional()
        .meta({ description: 'From service_list_shipping_zones. A pickup without it is offered to every address.' }),
      kind: z.enum(kinds).meta({
        description:
          'flat: one price; by_weight and by_price: brackets; pickup: the buyer fetches it at a location. Fixed.',
      }),
      currency: currency.meta({ description: 'ISO 4217. Offered for orders in this currency only. Fixed.' }),
      ...terms,
    }),
    answer: shippingOption.answer,
    errors: ['not_found', 'archived', 'selling_limit'],
  },
  async (scope, { shippingZoneId = null, kind, currency: code, ...given }, deps: CheckoutDeps) => {
    const faults = new Faults();
    const read = readTerms(faults, { kind, currency: code }, given);
    const whole = {
      kind,
      currency: code,
      weightBrackets: read.weightBrackets ?? null,
      priceBrackets: read.priceBrackets ?? null,
      amount: read.amount ?? (kind === 'pickup' ? money(0n, code) : null),
      freeFrom: read.freeFrom ?? null,
      locationId: read.locationId ?? null,
      minDays: read.minDays ?? null,
      maxDays: read.maxDays ?? null,
    };
    requireWhole(faults, whole);
    if (shippingZoneId === null && kind !== 'pickup')
      faults.add('/shippingZoneId', 'required', 'Only a pickup is offered without a zone: give one.');
    faults.throw();
    return scope.write(async (tx) => {
      await requireLocation(tx, faults, whole.locationId, deps);
      faults.throw();
      await requireRoom(tx, 'shipping_option');
      if (shippingZoneId !== null && (await zoneAt(tx, shippingZoneId)).archived)
        throw checkoutFail('archived', 'The shipping zone is archived: create another one.');
      const kept = columnsOf(whole as ShippingOption);
      const [row] = await tx.query(
        statement(
          `insert into checkout.shipping_option as o (tenant_id, shipping_option_id, shipping_zone_id, name, kind, currency, amount,
             brackets, free_from, location_id, min_days, max_days, tax_category, active, position)
           values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7::bigint, $8::jsonb, $9::bigint, $10::uuid, $11::int, $12::int, $13, $14,
             $15::int) returning ${shippingOption.columns}`,
          [
            tx.context.tenant,
            newId(),
            shippingZoneId,
            given.name,
            kind,
            code,
            kept.amount,
            kept.brackets,
            kept.freeFrom,
            whole.locationId,
            whole.minDays,
            whole.maxDays,
            given.taxCategory ?? 'standard',
            given.active ?? true,
            given.position ?? 0,
          ],
        ),
      );
      const made = shippingOption.read(row ?? {});
      tx.record(
        event('commerce.shipping_option.created', {
          shipping_option_id: made.id,
          shipping_zone_id: made.shippingZoneId,
          kind,
          content_sha256: await contentOf(tx, 'shipping_option', made.id),
        }),
      );
      return made;
    });
  },
);

const zoneAt: typeof holdShippingZone = async (tx, zoneId) => {
  try {
    return await holdShippingZone(tx, zoneId);
  } catch (error) {
    const { code, detail = '' } = error as { code?: string; detail?: string };
    if (code !== 'not_found') throw error;
    throw fail('not_found', detail, { errors: [{ pointer: '/shippingZoneId', code, detail }] });
  }
};
