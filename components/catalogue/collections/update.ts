import { isDeepStrictEqual } from 'node:util';
import { asItWas, operation } from '@steward/access';
import type { FieldError } from '@steward/kernel';
import { dictionary } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail, refused } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import { expectedVersion } from '../products/input.ts';
import { requireBrands } from '../products/publish.ts';
import { byCollection, readCollection, wholeCollection, type WholeCollection } from './collection.ts';
import { collectionDigest } from './contents.ts';
import { checkProducts, given, requireFreeHandle } from './given.ts';
import { fillCollection, holdCollections } from './membership.ts';
import { readRules, toldRules } from './rules.ts';

/**
 * Changes what is given of a collection and nothing else. One by hand stays so, and one by rules too.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `collection_archived`, `collection_changed`, `handle_taken` (409)
 */
export const updateCollection = operation(
  {
    ...changes,
    name: 'service_update_collection',
    input: z.strictObject({
      ...byCollection,
      expectedVersion: expectedVersion.meta({
        description: 'Refuses the change where the collection has another version by now.',
      }),
      ...given,
      title: given.title.optional(),
      handle: given.handle.meta({ description: 'Addresses with the present handle lead nowhere afterwards.' }),
      match: given.match.meta({ description: 'Of rules: whether products meet all or any.' }),
      brandIds: given.brandIds.meta({ description: 'Brands whose pages show it. The whole list.' }),
    }),
    answer: wholeCollection.answer,
    errors: ['insufficient_role', 'not_found', 'collection_archived', 'collection_changed', 'handle_taken'],
  },
  async (scope, { collectionId, expectedVersion: expected, rules, ...change }, deps: CatalogueDeps) =>
    scope.write(async (tx) => {
      await holdCollections(tx);
      const before = await readCollection(tx, collectionId);
      if (before.archived)
        throw catalogueFail('collection_archived', 'The collection is archived: create another one.');
      if (expected !== undefined && expected !== before.version) {
        const detail = `The collection has version ${before.version} by now: read it again.`;
        throw catalogueFail('collection_changed', detail, {
          errors: [{ pointer: '/expectedVersion', code: 'collection_changed', detail }],
        });
      }
      const faults: FieldError[] = [];
      const kept = rules === undefined ? undefined : readRules(rules, faults);
      faults.push(...notOfKind(before, { ...change, rules }));
      await requireBrands(
        tx,
        (change.brandIds ?? []).map((id, index) => ({ id, pointer: `/brandIds/${index}` })),
        deps.brandIn,
      );
      await checkProducts(tx, change.productIds, faults);
      if (faults.length > 0) throw refused(faults);
      const asked: Partial<WholeCollection> = {
        ...change,
        ...(kept === undefined ? {} : { rules: toldRules(kept) }),
        ...(change.brandIds === undefined ? {} : { brandIds: [...new Set(change.brandIds)].toSorted() }),
      };
      const fields = (Object.keys(asked) as (keyof WholeCollection)[]).filter(
        (name) => asked[name] !== undefined && !isDeepStrictEqual(asked[name], before[name]),
      );
      if (fields.length === 0) return asItWas(before);
      const next = { ...before, ...Object.fromEntries(fields.map((name) => [name, asked[name]])) } as WholeCollection;
      if (fields.includes('handle')) await requireFreeHandle(tx, next.handle, collectionId);
      await tx.query(
        statement(
          `update catalogue.collection set handle = $3, title = $4, description = $5, match = $6, rules = coalesce($7::jsonb, rules),
             brand_ids = $8::uuid[], version = version + 1, updated_at = clock_timestamp()
           where tenant_id = $1::uuid and collection_id = $2::uuid`,
          [
            tx.context.tenant,
            collectionId,
            next.handle,
            next.title,
            next.description,
            next.match,
            kept === undefined ? null : JSON.stringify(kept),
            next.brandIds,
          ],
        ),
      );
      if (fields.some((name) => ['productIds', 'rules', 'match'].includes(name)))
        await fillCollection(tx, collectionId, before.kind === 'manual' ? next.productIds : undefined);
      tx.record(
        event('commerce.collection.updated', {
          collection_id: collectionId,
          fields: fields.map((name) => inLog[name] ?? name),
          version: before.version + 1,
          content_sha256: await collectionDigest(tx, collectionId),
        }),
      );
      return readCollection(tx, collectionId);
    }),
);

const inLog = dictionary<string>({ productIds: 'product_ids', brandIds: 'brand_ids' });

function notOfKind(
  { kind }: WholeCollection,
  change: { readonly productIds?: unknown; readonly rules?: unknown; readonly match?: unknown },
): FieldError[] {
  const others = kind === 'manual' ? (['rules', 'match'] as const) : (['productIds'] as const);
  const detail =
    kind === 'manual'
      ? 'The products of the collection are chosen by hand: create another one with rules.'
      : 'The collection has the products that its rules ask for: create another one by hand.';
  return others.flatMap((member) =>
    change[member] === undefined ? [] : [{ pointer: `/${member}`, code: 'not_of_kind', detail }],
  );
}
