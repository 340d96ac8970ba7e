import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { changes } from '../operations.ts';
import { expectedVersion } from '../products/input.ts';
import { listChanged } from './changed.ts';
import {
  byPriceList,
  given,
  holdPriceLists,
  priceList,
  readPriceList,
  requireRoom,
  requireTerms,
  requireVersion,
} from './price-list.ts';

const inLog = { name: 'name', brandId: 'brand_id', startsAt: 'starts_at', endsAt: 'ends_at' } as const;
const members = Object.keys(inLog) as (keyof typeof inLog)[];

/**
 * Changes what is given of a price list and nothing else. One is ended by an end that is now or past.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `price_list_changed`, `price_list_limit` (409)
 */
export const updatePriceList = operation(
  {
    ...changes,
    name: 'service_update_price_list',
    input: z.strictObject({
      ...byPriceList,
      expectedVersion: expectedVersion.meta({
        description: 'Refuses the change where the list has another version by now.',
      }),
      ...given,
      name: given.name.optional(),
      startsAt: given.startsAt.meta({ description: 'RFC 3339: from then on its prices hold.' }),
    }),
    answer: priceList.answer,
    errors: ['insufficient_role', 'not_found', 'price_list_changed', 'price_list_limit'],
  },
  async (scope, { priceListId, expectedVersion: expected, ...change }, deps: CatalogueDeps) =>
    scope.write(async (tx) => {
      await holdPriceLists(tx);
      const before = await readPriceList(tx, priceListId);
      requireVersion(expected, before);
      const at = (text: string): string => new Date(text).toISOString();
      const next = {
        name: change.name ?? before.name,
        brandId: change.brandId === undefined ? before.brandId : change.brandId,
        startsAt: change.startsAt === undefined ? before.startsAt : at(change.startsAt),
        endsAt: change.endsAt === undefined ? before.endsAt : change.endsAt === null ? null : at(change.endsAt),
      };
      await requireTerms(tx, { ...next, brandId: change.brandId }, deps);
      const fields = members.filter((member) => next[member] !== before[member]);
      if (fields.length === 0) return asItWas(before);
      await tx.query(
        statement(
          `update catalogue.price_list set name = $3, brand_id = $4::uuid, starts_at = $5::timestamptz, ends_at = $6::timestamptz
           where tenant_id = $1::uuid and price_list_id = $2::uuid`,
          [tx.context.tenant, priceListId, next.name, next.brandId, next.startsAt, next.endsAt],
        ),
      );
      if (fields.includes('endsAt')) await requireRoom(tx);
      await listChanged(
        tx,
        priceListId,
        fields.map((member) => inLog[member]),
      );
      return readPriceList(tx, priceListId);
    }),
);
