import { asItWas, operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import type { FieldError } from '@steward/kernel';
import { sqlState, statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail, refused } from '../errors.ts';
import { located } from '../media/medium.ts';
import { changes } from '../operations.ts';
import { byProduct } from './get.ts';
import { expectedVersion, members, mostProducts } from './input.ts';
import { holdProducts, product, readProducts, type WholeProduct } from './product.ts';
import { changed } from './changed.ts';
import { warnings, warningsOf } from './warnings.ts';

const given = z.strictObject({
  ...byProduct,
  expectedVersion,
  ...members,
  title: members.title.optional(),
  status: members.status.meta({ description: 'Buyers see `active` products of brands that they are published to.' }),
  taxCategory: members.taxCategory.meta({ description: 'Which rates of the tax zones apply.' }),
  handle: members.handle.meta({ description: 'Addresses with the present handle lead nowhere afterwards.' }),
});
type Change = Fixed<z.output<typeof given>>;
type Member = keyof typeof members;
const names = Object.keys(members) as Member[];

/**
 * Changes what is given of products: of all of them or, if one is wrong, of none.
 * @throws Problem `invalid_request` (400) with pointers, `product_changed`, `handle_taken` (409)
 */
export const updateProducts = operation(
  {
    ...changes,
    name: 'service_update_products',
    input: z.strictObject({
      products: z.array(given).min(1).max(mostProducts).meta({ description: 'Up to 100 products.' }),
    }),
    answer: z.object({ products: z.array(product.answer), warnings }),
    errors: ['insufficient_role', 'product_changed', 'handle_taken'],
  },
  async (scope, { products }, deps: CatalogueDeps) =>
    scope
      .write(async (tx) => {
        const held = await holdProducts(
          tx,
          products.map(({ productId }) => productId),
        );
        requireKnown(products, held);
        const next = products.map((change) => applied(change, held));
        const ids = next.flatMap(({ fields, after }) => (fields.length === 0 ? [] : [after.id]));
        if (ids.length === 0)
          return asItWas({
            products: products.map(({ productId }) => located(read(held, productId), deps.mediaAt)),
            warnings: [],
          });
        await leaveHandles(tx, await requireFree(tx, next));
        await tx.query(
          updateMembers(
            tx.context.tenant,
            next.flatMap(({ fields, after }) => (fields.length === 0 ? [] : [after])),
          ),
        );
        await changed(tx, new Map(next.map(({ after, fields }) => [after.id, fields])));
        const written = await readProducts(
          tx,
          products.map(({ productId }) => productId),
        );
        return {
          products: products.map(({ productId }) => located(read(written, productId), deps.mediaAt)),
          warnings: await warningsOf(tx, ids, deps),
        };
      })
      .catch((error: unknown) => {
        // Somebody else took it in the meantime.
        if (sqlState(error) === '23505')
          throw catalogueFail('handle_taken', 'Somebody else has just taken a handle: read the products again.');
        throw error;
      }),
);

/** Writes the members of products, but for their variants. */
export const updateMembers = (tenant: string, products: readonly WholeProduct[]): Statement =>
  statement(
    `update catalogue.product p set handle = n.handle, title = n.title, description = n.description, vendor = n.vendor,
       product_type = n.type, tags = n.tags, status = n.status, tax_category = n."taxCategory", options = n.options, custom = n.custom
     from jsonb_to_recordset($2::jsonb) n (id uuid, handle text, title text, description text, vendor text, type text, tags text[],
       status text, "taxCategory" text, options text[], custom jsonb)
     where p.tenant_id = $1::uuid and p.product_id = n.id`,
    [
      tenant,
      JSON.stringify(products.map(({ variants: _variants, media: _media, image: _image, ...members }) => members)),
    ],
  );

const read = (found: ReadonlyMap<string, WholeProduct>, id: string): WholeProduct => {
  const one = found.get(id);
  if (one === undefined) throw new Error(`${id} was held`);
  return one;
};

/** @throws Problem `invalid_request` (400), `product_changed` (409) */
function requireKnown(products: readonly Change[], held: ReadonlyMap<string, WholeProduct>): void {
  const seen = new Set<string>();
  const faults: FieldError[] = [];
  products.forEach(({ productId, expectedVersion: expected }, index) => {
    const pointer = `/products/${index}`;
    const found = held.get(productId);
    if (found === undefined) {
      const detail = 'There is no such product in this tenant: list the products for their ids.';
      faults.push({ pointer: `${pointer}/productId`, code: 'unknown_product', detail });
    } else if (seen.has(productId)) {
      faults.push({ pointer: `${pointer}/productId`, code: 'duplicate', detail: 'Give each product once.' });
    } else if (expected !== undefined && expected !== found.version) {
      const detail = `The product has version ${found.version} by now: read it again.`;
      throw catalogueFail('product_changed', detail, {
        errors: [{ pointer: `${pointer}/expectedVersion`, code: 'product_changed', detail }],
      });
    }
    seen.add(productId);
  });
  if (faults.length > 0) throw refused(faults);
}

interface Applied {
  readonly fields: readonly Member[];
  readonly after: WholeProduct;
}

function applied(change: Change, held: ReadonlyMap<string, WholeProduct>): Applied {
  const before = read(held, change.productId);
  const given = { ...change, ...(change.tags === undefined ? {} : { tags: [...new Set(change.tags)] }) };
  const fields = names.filter(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(before[name]),
  );
  return { fields, after: { ...before, ...Object.fromEntries(fields.map((name) => [name, given[name]])) } };
}

/** @returns products whose handle another one of the call takes @throws Problem `handle_taken` (409) */
async function requireFree(tx: TenantTransaction, next: readonly Applied[]): Promise<readonly string[]> {
  const renamed = next.flatMap(({ fields, after }, index) => (fields.includes('handle') ? [{ after, index }] : []));
  if (renamed.length === 0) return [];
  const rows = await tx.query<{ handle: string; product_id: string }>(
    statement(
      `select handle, product_id from catalogue.product where tenant_id = $1::uuid and handle = any ($2::text[])`,
      [tx.context.tenant, renamed.map(({ after }) => after.handle)],
    ),
  );
  const leaving = new Set(renamed.map(({ after }) => after.id));
  const owners = new Map(rows.flatMap((row) => (leaving.has(row.product_id) ? [] : [[row.handle, row.product_id]])));
  for (const { after, index } of renamed) {
    const owner = owners.get(after.handle);
    owners.set(after.handle, after.id);
    if (owner === undefined || owner === after.id) continue;
    const detail = `${after.handle} is in use: choose another handle.`;
    throw catalogueFail('handle_taken', detail, {
      errors: [{ pointer: `/products/${index}/handle`, code: 'handle_taken', detail }],
    });
  }
  return rows.flatMap((row) => (leaving.has(row.product_id) ? [row.product_id] : []));
}

/** Products that exchange handles have none of them for a moment: a unique index looks at each row by itself. */
async function leaveHandles(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    statement(
      `update catalogue.product set handle = 'leaving-' || product_id where tenant_id = $1::uuid and product_id = any ($2::uuid[])`,
      [tx.context.tenant, ids],
    ),
  );
}
