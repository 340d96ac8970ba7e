import { operation } from '@steward/access';
import { type FieldError, newId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { refused } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import { handleOf } from '../products/handle.ts';
import { requireBrands } from '../products/publish.ts';
import { readCollection, wholeCollection } from './collection.ts';
import { collectionDigest } from './contents.ts';
import { checkProducts, given, isTaken, requireFreeHandle, requireRoom } from './given.ts';
import { fillCollection, holdCollections } from './membership.ts';
import { readRules } from './rules.ts';

/**
 * Adds a collection, by hand or by rules.
 * @throws Problem `invalid_request` (400) with pointers, `handle_taken`, `collection_limit` (409)
 */
export const createCollection = operation(
  {
    ...changes,
    name: 'service_create_collection',
    input: z.strictObject(given),
    answer: wholeCollection.answer,
    errors: ['insufficient_role', 'handle_taken', 'collection_limit'],
  },
  async (scope, { title, handle, description = '', productIds, match, rules, brandIds = [] }, deps: CatalogueDeps) => {
    const faults: FieldError[] = [];
    const kept = rules === undefined ? null : readRules(rules, faults);
    if (rules !== undefined && productIds !== undefined) {
      const detail = 'Give productIds or rules, and not both.';
      faults.push({ pointer: '/productIds', code: 'not_of_kind', detail });
    }
    if (rules === undefined && match !== undefined)
      faults.push({ pointer: '/match', code: 'not_of_kind', detail: 'It is about rules: give rules too.' });
    if (faults.length > 0) throw refused(faults);
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      await holdCollections(tx);
      await requireBrands(
        tx,
        brandIds.map((id, index) => ({ id, pointer: `/brandIds/${index}` })),
        deps.brandIn,
      );
      await checkProducts(tx, productIds, faults);
      if (faults.length > 0) throw refused(faults);
      await requireRoom(tx, kept === null ? 'manual' : 'automatic');
      const id = newId();
      if (handle !== undefined) await requireFreeHandle(tx, handle, undefined);
      const wanted = handle ?? handleOf(title);
      const free = wanted !== '' && !(await isTaken(tx, wanted, undefined));
      await tx.query(
        statement(
          `insert into catalogue.collection (tenant_id, collection_id, handle, title, description, match, rules, brand_ids)
           values ($1::uuid, $2::uuid, $3, $4, $5, $6, $7::jsonb, $8::uuid[])`,
          [
            tenant,
            id,
            free ? wanted : [wanted, id.slice(-12)].filter((part) => part !== '').join('-'),
            title,
            description,
            kept === null ? null : (match ?? 'all'),
            kept === null ? null : JSON.stringify(kept),
            [...new Set(brandIds)].toSorted(),
          ],
        ),
      );
      await fillCollection(tx, id, kept === null ? (productIds ?? []) : undefined);
      tx.record(
        event('commerce.collection.created', {
          collection_id: id,
          content_sha256: await collectionDigest(tx, id),
        }),
      );
      return readCollection(tx, id);
    });
  },
);
