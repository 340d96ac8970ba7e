import { operation } from '@steward/access';
import { isCurrency, newId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { refused } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import { priceInput } from '../products/input.ts';
import {
  given,
  holdPriceLists,
  priceList,
  priceListDigest,
  readPriceList,
  requireRoom,
  requireTerms,
} from './price-list.ts';

/**
 * Adds a price list without prices.
 * @throws Problem `invalid_request` (400) with pointers, `price_list_limit` (409)
 */
export const createPriceList = operation(
  {
    ...changes,
    name: 'service_create_price_list',
    input: z.strictObject({ ...given, currency: priceInput.shape.currency }),
    answer: priceList.answer,
    errors: ['insufficient_role', 'price_list_limit'],
  },
  async (scope, { name, currency, brandId = null, startsAt, endsAt = null }, deps: CatalogueDeps) => {
    if (!isCurrency(currency)) {
      const detail = `${currency} is no currency of ISO 4217 with a minor unit.`;
      throw refused([{ pointer: '/currency', code: 'unknown_currency', detail }]);
    }
    return scope.write(async (tx) => {
      await holdPriceLists(tx);
      const [clock] = await tx.query<{ now: Date }>(statement('select clock_timestamp() as now', []));
      const begins = startsAt ?? (clock?.now ?? new Date()).toISOString();
      await requireTerms(tx, { brandId, startsAt: begins, endsAt }, deps);
      const id = newId();
      await tx.query(
        statement(
          `insert into catalogue.price_list (tenant_id, price_list_id, name, currency, brand_id, starts_at, ends_at)
           values ($1::uuid, $2::uuid, $3, $4, $5::uuid, $6::timestamptz, $7::timestamptz)`,
          [tx.context.tenant, id, name, currency, brandId, begins, endsAt],
        ),
      );
      await requireRoom(tx);
      tx.record(
        event('commerce.price_list.created', { price_list_id: id, content_sha256: await priceListDigest(tx, id) }),
      );
      return readPriceList(tx, id);
    });
  },
);
