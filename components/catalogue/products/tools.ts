import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import type { CatalogueDeps } from '../deps.ts';
import { importProducts } from '../csv/import.ts';
import { createProducts } from './create.ts';
import { getProduct } from './get.ts';
import { listProducts } from './list.ts';
import { wholeProduct, type Product } from './product.ts';
import { publishProducts, unpublishProducts } from './publish.ts';
import { setPrices } from './set-prices.ts';
import { answer as withRemoved, setVariants } from './set-variants.ts';
import { updateProducts } from './update.ts';
import { warnOf } from './warnings.ts';

const repeatable = { destructiveHint: false, idempotentHint: true };

/** A few of them by name. */
function named(products: readonly Product[]): string {
  const shown = products.slice(0, 3).map(({ title }) => title);
  const more = products.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

const movedBy = (changed: readonly { readonly products: number }[]): string =>
  `${counted(Math.max(0, ...changed.map(({ products }) => products)), 'product')} in ${counted(changed.length, 'brand')}`;

export const productTools: readonly Tool<CatalogueDeps>[] = [
  toolOf(createProducts, {
    core: false,
    title: 'Add products',
    description:
      'Adds up to 100 products with variants, prices and brands: all of them or, if one is wrong, none. Buyers see a ' +
      'product when its `status` is `active` and it is published to the brand of the site. A call with the same products adds ' +
      'further ones: give an `idempotency_key`, so that a repeat adds nothing.',
    // A preview's ids would name nothing afterwards.
    preview: ({ products }) => ({
      products: products.map(({ id: _id, createdAt: _created, updatedAt: _updated, ...rest }) => rest),
    }),
    warn: warnOf,
    say: ({ products }, preview) =>
      `${preview ? 'Would add' : 'Added'} ${counted(products.length, 'product')}: ${named(products)}.`,
  }),
  toolOf(updateProducts, {
    core: false,
    annotations: repeatable,
    title: 'Change products',
    description:
      'Changes the given members of up to 100 products: of all or, if one is wrong, of none. `status: "archived"` takes a ' +
      'product out of the shop.',
    warn: warnOf,
    say: ({ products }, preview) =>
      `${preview ? 'Would change' : 'Changed'} ${counted(products.length, 'product')}: ${named(products)}.`,
  }),
  toolOf(setVariants, {
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Set the variants of a product',
    description:
      'Sets the whole list of variants of one product, in its order. A variant that is named by `variant_id` or by the options ' +
      'that it has stays, with the members that are not given. Variants that are left out are taken off the product.',
    shows: under('product', withRemoved),
    say: ({ title, variantCount, removedVariantIds: removed }, preview) =>
      `${preview ? 'Would set' : 'Set'} the variants of ${title}: ${counted(variantCount, 'variant')}${removed.length === 0 ? '' : `, ${removed.length} taken off`}.`,
  }),
  toolOf(setPrices, {
    core: false,
    annotations: repeatable,
    title: 'Set prices',
    description:
      'Replaces the prices of up to 500 variants of any products: of all or, if one is wrong, of none. A variant without ' +
      'prices cannot be bought.',
    warn: warnOf,
    say: ({ products }, preview) =>
      products.length === 0
        ? 'The variants have these prices.'
        : `${preview ? 'Would change' : 'Changed'} prices of ${counted(products.length, 'product')}: ${named(products)}.`,
  }),
  toolOf(publishProducts, {
    core: false,
    annotations: repeatable,
    title: 'Publish products',
    description: 'Shows products on the sites of brands. Visitors see those that are active.',
    warn: warnOf,
    say: ({ changed }, preview) => `${preview ? 'Would publish' : 'Published'} ${movedBy(changed)}.`,
  }),
  toolOf(unpublishProducts, {
    core: false,
    annotations: repeatable,
    title: 'Unpublish products',
    description: 'Takes products off the sites of brands at once. They stay in the catalogue.',
    say: ({ changed }, preview) => `${preview ? 'Would take off' : 'Took off'} ${movedBy(changed)}.`,
  }),
  toolOf(importProducts, {
    core: false,
    annotations: repeatable,
    title: 'Import products',
    description:
      'Adds and changes products by a CSV file in the format of Shopify’s product export: all or, if a line is wrong, none. A ' +
      'product is found by its handle, a variant by its options or SKU. Use `preview: true` for a dry run: it names each wrong ' +
      'line. Variants and prices that the file lacks stay. Pictures are fetched soon afterwards; service_get_product says in ' +
      '`media` what became of each. Columns such as stock are not imported, and told.',
    say: ({ added, changed, unchanged, pictures, notImported }, preview) =>
      `${preview ? 'Would add' : 'Added'} ${counted(added, 'product')} and ${preview ? 'change' : 'changed'} ${changed}; ` +
      `${unchanged} ${preview ? 'would stay' : 'stayed'} as ${unchanged === 1 ? 'it is' : 'they are'}.` +
      (pictures.added === 0
        ? ''
        : ` ${counted(pictures.added, 'picture')} ${preview ? 'would be' : 'will be'} fetched.`) +
      (pictures.skipped.length === 0
        ? ''
        : ` Pictures left out in ${pictures.skipped
            .slice(0, 5)
            .map(({ line, detail }) => `line ${line}: ${detail}`)
            .join(' ')}${pictures.skipped.length > 5 ? ` And ${pictures.skipped.length - 5} more.` : ''}`) +
      (notImported.length === 0
        ? ''
        : ` Not imported: ${notImported
            .slice(0, 20)
            .map(({ column }) => column)
            .join(', ')}.`),
  }),
  toolOf(listProducts, {
    core: false,
    title: 'List products',
    description: 'Lists products, newest first. Use service_get_product for variants and prices.',
    answers: { items: 'products' },
    say: ({ items, nextCursor, corrections }) =>
      `${counted(items.length, 'product')}.${nextCursor === null ? '' : ' There are more.'}` +
      corrections.map(({ word, to }) => ` No product has ${word}: looked for ${to}.`).join(''),
  }),
  toolOf(getProduct, {
    core: false,
    title: 'Read a product',
    description: 'Reads one product by its id or handle, with its variants, prices and brands.',
    shows: under('product', wholeProduct.answer),
    say: ({ title, status, variantCount }) => `${title} is ${status} and has ${counted(variantCount, 'variant')}.`,
  }),
];
