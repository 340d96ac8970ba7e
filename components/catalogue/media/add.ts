import { asItWas, operation } from '@steward/access';
import { type FieldError, newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { refused } from '../errors.ts';
import { changes } from '../operations.ts';
import { changed } from '../products/changed.ts';
import { byProduct } from '../products/get.ts';
import { holdProducts, readProducts, type WholeProduct } from '../products/product.ts';
import { holdMedia } from './keep.ts';
import { located, mediumMembers, mediumShape, mostMedia } from './medium.ts';
import { checkVariants, moved, writePlaces } from './place.ts';
import { turnWithin } from './turn.ts';

export const ofProduct = mediumShape.extend({ productId: z.uuid() });
export const mediaAnswer = z.object({ media: z.array(ofProduct) });

export const sourceInput = z
  .string()
  .max(2048)
  .regex(/^https:\/\/[!-~]+$/, 'Give an https address')
  .refine((text) => URL.canParse(text), 'Give an https address');

export interface NewMedium {
  readonly productId: string;
  readonly digest?: string;
  readonly source?: string;
  readonly alt?: string | undefined;
  readonly position?: number | undefined;
  readonly variantIds?: readonly string[] | undefined;
}

/**
 * Adds pictures by their addresses, which are fetched once, soon afterwards: to all of the products or, if one is wrong, to none. An
 * address that the product has already is not added again.
 * @throws Problem `invalid_request` (400) with pointers
 */
export const addMedia = operation(
  {
    ...changes,
    name: 'service_add_product_media',
    input: z.strictObject({
      media: z
        .array(
          z.strictObject({
            ...byProduct,
            url: sourceInput.meta({
              description: 'A public https address of a JPEG, PNG, WebP, GIF or AVIF of up to 10 MB.',
            }),
            ...mediumMembers,
          }),
        )
        .min(1)
        .max(100)
        .meta({ description: 'Up to 100 pictures, up to 50 for a product.' }),
    }),
    answer: mediaAnswer,
    errors: ['insufficient_role'],
  },
  async (scope, { media }, { mediaAt, wakeFetcher }: CatalogueDeps) =>
    scope.write(async (tx) => {
      await holdMedia(tx);
      const added = await insertMedia(
        tx,
        media.map(({ url, ...one }) => ({ ...one, source: url })),
        (index) => `/media/${index}`,
      );
      tx.afterCommit(wakeFetcher);
      const answer = { media: await readMedia(tx, added.ids, mediaAt) };
      return added.changed ? answer : asItWas(answer);
    }),
);

/** With the pictures held. @returns the id of each, of one that the product had already too */
export async function insertMedia(
  tx: TenantTransaction,
  media: readonly NewMedium[],
  pointerOf: (index: number) => string,
): Promise<{ readonly ids: readonly string[]; readonly changed: boolean }> {
  const { tenant } = tx.context;
  const held = await holdProducts(
    tx,
    media.map(({ productId }) => productId),
  );
  const known = new Map(await knownMedia(tx, [...held.keys()]));
  const orders = new Map([...held].map(([id, one]) => [id, one.media.map((each) => each.id)]));
  const faults: FieldError[] = [];
  const rows: object[] = [];
  const touched = new Set<string>();
  const ids = media.map((one, index) => {
    const pointer = pointerOf(index);
    const product = held.get(one.productId);
    const order = orders.get(one.productId);
    if (product === undefined || order === undefined) {
      const detail = 'There is no such product in this tenant: list the products for their ids.';
      faults.push({ pointer: `${pointer}/productId`, code: 'unknown_product', detail });
      return '';
    }
    checkVariants(product, one.variantIds, `${pointer}/variantIds`, faults);
    const key = `${one.productId} ${one.digest ?? one.source ?? ''}`;
    const had = known.get(key);
    if (had !== undefined) return had;
    if (order.length >= mostMedia) {
      const detail = `A product has at most ${mostMedia} pictures: remove some of them.`;
      faults.push({ pointer, code: 'too_big', detail });
      return '';
    }
    const id = newId();
    known.set(key, id);
    touched.add(one.productId);
    orders.set(one.productId, moved(order, id, one.position ?? order.length + 1));
    rows.push({
      medium_id: id,
      product_id: one.productId,
      alt: one.alt ?? '',
      variant_ids: [...new Set(one.variantIds)],
      digest: one.digest ?? null,
      source: one.source ?? null,
    });
    return id;
  });
  if (faults.length > 0) throw refused(faults);
  if (rows.length === 0) return { ids, changed: false };
  await tx.queryAll([
    statement(
      `insert into catalogue.medium (tenant_id, medium_id, product_id, position, alt, variant_ids, digest, source, next_at)
       select $1::uuid, m.medium_id, m.product_id, 0, m.alt, m.variant_ids, m.digest, m.source,
         case when m.digest is null then clock_timestamp() end
       from jsonb_to_recordset($2::jsonb) m (medium_id uuid, product_id uuid, alt text, variant_ids uuid[], digest text, source text)`,
      [tenant, JSON.stringify(rows)],
    ),
    ...(media.some(({ source }) => source !== undefined) ? [turnWithin(tenant, 0)] : []),
    writePlaces(
      tenant,
      [...touched].map((id) => orders.get(id) ?? []),
    ),
  ]);
  await changed(tx, new Map([...touched].toSorted().map((id) => [id, ['media']])));
  return { ids, changed: true };
}

async function knownMedia(tx: TenantTransaction, productIds: readonly string[]): Promise<[string, string][]> {
  const rows = await tx.query<{ medium_id: string; product_id: string; digest: string | null; source: string | null }>(
    statement(
      `select medium_id, product_id, digest, source from catalogue.medium where tenant_id = $1::uuid and product_id = any ($2::uuid[])`,
      [tx.context.tenant, productIds],
    ),
  );
  return rows.flatMap((row) =>
    [row.digest, row.source].flatMap((by): [string, string][] =>
      by === null ? [] : [[`${row.product_id} ${by}`, row.medium_id]],
    ),
  );
}

/** Pictures by their ids, in that order. */
export async function readMedia(tx: TenantTransaction, ids: readonly string[], at: string) {
  const rows = await tx.query<{ medium_id: string; product_id: string }>(
    statement(
      `select medium_id, product_id from catalogue.medium where tenant_id = $1::uuid and medium_id = any ($2::uuid[])`,
      [tx.context.tenant, ids],
    ),
  );
  const products = await readProducts(tx, [...new Set(rows.map((row) => row.product_id))]);
  const found = new Map(
    [...products.values()].flatMap((product: WholeProduct) =>
      located(product, at).media.map((one) => [one.id, { ...one, productId: product.id }] as const),
    ),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}
