import { asItWas, heavily, operation } from '@steward/access';
import { createPace, fail, type FieldError, isCurrency, newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { renewMembership } from '../collections/membership.ts';
import { contentsOf } from '../contents.ts';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail, refused } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { holdMedia } from '../media/keep.ts';
import { changes } from '../operations.ts';
import { manageCatalogue } from '../permissions.ts';
import { changed } from '../products/changed.ts';
import { brandIds, mostVariants, priceInput } from '../products/input.ts';
import { insertProducts, insertVariants, type ProductRow, replaceVariants } from '../products/insert.ts';
import { lockProducts, readProducts as productsBy, type WholeProduct } from '../products/product.ts';
import { publish, requireBrands } from '../products/publish.ts';
import { renewTerms } from '../products/terms.ts';
import { updateMembers } from '../products/update.ts';
import { isSame } from '../products/set-variants.ts';
import { type GivenVariant, variantsOf, type VariantRows } from '../products/variants.ts';
import { type FileProduct, type LineFault, type ProductFile, readProducts } from './read.ts';
import { skippedPicture } from './picture-in.ts';
import { addPictures, named } from './pictures.ts';
import { joined } from './joined.ts';

/** The most faults that an answer names. */
const mostFaults = 100;
/** Products that are read or written at once. */
const portion = 200;
/** Variants that the products of a file may have together: they are read and compared. */
const mostPresent = 50_000;

/**
 * Adds and changes products by a file in the format of Shopify's product CSV: all of them or, if a line is wrong, none. Products are found
 * by their handles.
 * @throws Problem `invalid_request` (400) that names up to 100 lines, `handle_taken` (409)
 */
export const importProducts = operation(
  {
    ...changes,
    requires: heavily(manageCatalogue),
    name: 'service_import_products',
    input: z.strictObject({
      content: z.string().min(1).max(900_000).meta({
        description: 'The whole file as text: up to 1,000 products in 10,000 lines, under a line of headings.',
      }),
      currency: priceInput.shape.currency.meta({ description: 'The currency of the prices, such as EUR.' }),
      publishTo: brandIds.optional().meta({
        description: 'Brands to publish the products to whose column Published does not say FALSE. Default: none.',
      }),
    }),
    answer: z.object({
      added: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      /** How many products were published that were not so before, by brand. */
      published: z.array(z.object({ brandId: z.uuid(), products: z.int() })),
      /** They are fetched soon afterwards. Lines whose picture is left out, up to 100, are told; the rest of such a line is imported. */
      pictures: z.object({ added: z.int(), skipped: z.array(skippedPicture) }),
      /** Columns that say something that is not imported, such as stock, and in how many lines. */
      notImported: z.array(z.object({ column: z.string(), lines: z.int() })),
    }),
    errors: ['insufficient_role', 'handle_taken'],
  },
  async (scope, { content, currency, publishTo = [] }, { brandIn, mediaAt, wakeFetcher }: CatalogueDeps) => {
    if (!isCurrency(currency))
      throw refused([
        {
          pointer: '/currency',
          code: 'unknown_currency',
          detail: `${currency} is no currency of ISO 4217 with a minor unit.`,
        },
      ]);
    return scope.write(async (tx) => {
      const file = await read(content, currency);
      await requireBrands(
        tx,
        publishTo.map((id, index) => ({ id, pointer: `/publishTo/${index}` })),
        brandIn,
      );
      if (file.products.some(({ pictures }) => pictures.length > 0)) await holdMedia(tx);
      const plan = await planOf(tx, file, currency);
      await add(tx, plan.added);
      await change(tx, plan.changed);
      const pictures = await addPictures(tx, plan.all, mediaAt);
      if (pictures.added > 0) tx.afterCommit(wakeFetcher);
      const visible = plan.all.filter(({ wanted }) => wanted.published !== false).map(({ id }) => id);
      const published: { brandId: string; products: number }[] = [];
      for (const brandId of new Set(publishTo)) {
        const products = await publish(tx, brandId, visible);
        if (products > 0) published.push({ brandId, products });
      }
      const done = {
        added: plan.added.length,
        changed: plan.changed.length,
        unchanged: plan.all.length - plan.added.length - plan.changed.length,
        published,
        pictures: { added: pictures.added, skipped: named([...file.skipped, ...pictures.skipped]) },
        notImported: [...file.notImported],
      };
      return done.added + done.changed + published.length + pictures.added === 0 ? asItWas(done) : done;
    });
  },
);

async function read(content: string, currency: string): Promise<ProductFile> {
  let file: ProductFile;
  try {
    file = await readProducts(content, currency);
  } catch (cause) {
    const detail = `The file cannot be read: ${(cause as Error).message.slice(0, 500)}.`;
    throw fail('invalid_request', detail, { cause, errors: [{ pointer: '/content', code: 'invalid_file', detail }] });
  }
  if (file.faults.length > 0) throw wrong(file.faults);
  return file;
}

function wrong(faults: readonly LineFault[]): Error {
  const all = faults.toSorted((a, b) => a.line - b.line);
  const errors = all.slice(0, mostFaults).map(({ line, code, detail }): FieldError => ({
    pointer: '/content',
    code,
    detail: `Line ${line}: ${detail}`,
  }));
  const count = all.length === 1 ? 'One fault' : `${all.length} faults`;
  return fail('invalid_request', `${count} in the file, so nothing was imported. ${errors[0]?.detail ?? ''}`, {
    errors,
  });
}

interface Added {
  readonly id: string;
  readonly wanted: FileProduct;
  readonly rows: VariantRows;
}

interface Changed {
  readonly id: string;
  readonly wanted: FileProduct;
  readonly after: WholeProduct;
  readonly fields: readonly string[];
  /** Where they change. */
  readonly variants: { readonly rows: VariantRows; readonly had: readonly string[] } | undefined;
}

/** What becomes of each product. Present ones are held, in the order of their ids. @throws Problem `invalid_request` (400) */
async function planOf(tx: TenantTransaction, file: ProductFile, currency: string) {
  const found = await tx.query<{ handle: string; product_id: string }>(
    statement(
      `select handle, product_id from catalogue.product where tenant_id = $1::uuid and handle = any ($2::text[])`,
      [tx.context.tenant, file.products.map(({ handle }) => handle)],
    ),
  );
  const ids = new Map(found.map((row) => [row.handle, row.product_id]));
  await lockProducts(tx, [...ids.values()]);
  await requireRoom(tx, [...ids.values()]);
  // In the order of the file, which lists go by.
  const newIds = file.products.map(() => newId()).toSorted();
  const faults: LineFault[] = [];
  const added: Added[] = [];
  const altered: Changed[] = [];
  const all: { readonly id: string; readonly wanted: FileProduct }[] = [];
  const pace = createPace();
  for (const wanted of portionsOf(file.products)) {
    const present = await productsBy(
      tx,
      wanted.flatMap(({ handle }) => ids.get(handle) ?? []),
    );
    for (const one of wanted) {
      if (pace.due()) await pace.rest();
      const before = present.get(ids.get(one.handle) ?? '');
      const id = before?.id ?? newIds[all.length] ?? '';
      all.push({ id, wanted: one });
      const { options, variants, lines, fault } = joined(one, before, currency);
      if (fault !== undefined) {
        faults.push(fault);
        continue;
      }
      const own: FieldError[] = [];
      const rows = variantsOf(id, options, variants, '', own);
      for (const wrongIn of own) faults.push(atLine(wrongIn, lines, one.line));
      if (variants.length > mostVariants)
        faults.push({
          line: one.line,
          code: 'too_big',
          detail: `The product would have ${variants.length} variants: it can have ${mostVariants}.`,
        });
      if (before === undefined) added.push({ id, wanted: one, rows });
      else {
        const difference = differenceOf(one, before, options, variants, rows);
        if (difference.fields.length > 0) altered.push(difference);
      }
    }
  }
  if (faults.length > 0) throw wrong(faults);
  return { added, changed: altered, all };
}

/** @throws Problem `invalid_request` (400) where the present products have too many variants to compare */
async function requireRoom(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
  const [row] = await tx.query<{ many: number }>(
    statement(
      `select count(*)::int as many from catalogue.variant
       where tenant_id = $1::uuid and product_id = any ($2::uuid[]) and removed_at is null`,
      [tx.context.tenant, ids],
    ),
  );
  const many = row?.many ?? 0;
  if (many <= mostPresent) return;
  const detail = `The products of the file have ${many} variants, more than ${mostPresent}: split the file between products.`;
  throw refused([{ pointer: '/content', code: 'too_big', detail }]);
}

/** Names the line of a fault that was found in the list of variants. */
function atLine(
  { pointer, code, detail }: FieldError,
  lines: readonly (number | undefined)[],
  first: number,
): LineFault {
  const [, index = '', member, , price] = pointer.split('/');
  const column = member !== 'prices' ? '' : price === 'compareAt' ? 'Variant Compare At Price: ' : 'Variant Price: ';
  const twin = code === 'duplicate' && member === undefined;
  return {
    line: lines[Number(index)] ?? first,
    code,
    detail: twin
      ? 'Another variant of the product has the same values: variants differ in at least one option.'
      : `${column}${detail}`,
  };
}

const members = ['title', 'description', 'vendor', 'type', 'tags', 'status', 'taxCategory'] as const;

function differenceOf(
  wanted: FileProduct,
  before: WholeProduct,
  options: readonly string[],
  variants: readonly GivenVariant[],
  rows: VariantRows,
): Changed {
  const { told } = wanted;
  const fields: string[] = members.filter(
    (name) => told[name] !== undefined && JSON.stringify(told[name]) !== JSON.stringify(before[name]),
  );
  const renamed = JSON.stringify(options) !== JSON.stringify(before.options);
  const same = isSame(before, options, variants);
  return {
    id: before.id,
    wanted,
    after: {
      ...before,
      ...Object.fromEntries(fields.map((name) => [name, told[name as (typeof members)[number]]])),
      options: [...options],
    },
    fields: [...fields, ...(same ? [] : ['variants']), ...(renamed ? ['options'] : [])],
    variants: same ? undefined : { rows, had: before.variants.map(({ id }) => id) },
  };
}

async function add(tx: TenantTransaction, added: readonly Added[]): Promise<void> {
  const { tenant } = tx.context;
  for (const some of portionsOf(added)) {
    const inserted = await tx.query(insertProducts(tenant, some.map(columnsOf)));
    if (inserted.length < some.length)
      throw catalogueFail('handle_taken', 'Somebody else took a handle in the meantime: send the same file again.');
    await tx.queryAll(insertVariants(tenant, together(some.map(({ rows }) => rows))));
    const ids = some.map(({ id }) => id);
    const fresh = new Map(ids.map((id) => [id, ['title']]));
    await renewTerms(tx, fresh);
    await renewMembership(tx, fresh);
    const digests = await contentsOf(tx, ids);
    for (const id of ids) {
      tx.record(
        event('commerce.product.created', { product_id: id, version: 1, content_sha256: digests.get(id) ?? '' }),
      );
      tx.publish(announcement('commerce.product.changed', { productId: id, version: 1 }, { subject: id }));
    }
  }
}

const columnsOf = ({ id, wanted: { handle, told, published, options } }: Added): ProductRow => ({
  product_id: id,
  handle,
  title: told.title,
  description: told.description ?? '',
  vendor: told.vendor ?? null,
  product_type: told.type ?? null,
  tags: told.tags ?? [],
  // Files from before there was a status say only what is published.
  status: told.status ?? (published === true ? 'active' : 'draft'),
  tax_category: told.taxCategory ?? 'standard',
  options: options ?? [],
  custom: {},
});

async function change(tx: TenantTransaction, altered: readonly Changed[]): Promise<void> {
  const { tenant } = tx.context;
  for (const some of portionsOf(altered)) {
    await tx.query(
      updateMembers(
        tenant,
        some.map(({ after }) => after),
      ),
    );
    const moved = some.flatMap(({ id, variants }) => (variants === undefined ? [] : [{ id, ...variants }]));
    await tx.queryAll(
      replaceVariants(
        tenant,
        moved.map(({ id }) => id),
        new Set(moved.flatMap(({ had }) => had)),
        together(moved.map(({ rows }) => rows)),
      ),
    );
    await changed(tx, new Map(some.map(({ id, fields }) => [id, fields])));
  }
}

const together = (rows: readonly VariantRows[]): VariantRows => ({
  variants: rows.flatMap(({ variants }) => variants),
  prices: rows.flatMap(({ prices }) => prices),
});

function* portionsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += portion) yield all.slice(from, from + portion);
}
