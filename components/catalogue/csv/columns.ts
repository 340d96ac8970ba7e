/** What the columns of a file say of a product or of a variant. */
export type Column =
  | 'handle'
  | 'title'
  | 'body'
  | 'markdown'
  | 'vendor'
  | 'type'
  | 'category'
  | 'tags'
  | 'published'
  | 'status'
  | 'taxCategory'
  | `name${number}`
  | `value${number}`
  | 'sku'
  | 'grams'
  | 'price'
  | 'compareAt'
  | 'ships'
  | 'barcode'
  | 'image'
  | 'imagePosition'
  | 'imageAlt';

/** A row of a file. */
export interface Row {
  readonly line: number;
  /** Without what stands around it; undefined where the file has no such column. */
  readonly cell: (column: Column) => string | undefined;
}

/** The format has three options; ours are written in the same way. */
export const places = [1, 2, 3, 4, 5] as const;

/**
 * Headings of Shopify's product CSV, those until 2024 first, then the present ones; `Description (Markdown)`, `Tax category` and the options
 * 4 and 5 are ours. Source: https://help.shopify.com/en/manual/products/import-export/using-csv
 */
const headings: readonly (readonly [Column, ...(readonly string[])])[] = [
  ['handle', 'Handle', 'URL handle'],
  ['title', 'Title'],
  ['body', 'Body (HTML)', 'Description'],
  ['vendor', 'Vendor'],
  ['category', 'Product Category'],
  ['type', 'Type', 'Custom Product Type'],
  ['tags', 'Tags'],
  ['published', 'Published', 'Published on online store'],
  ...places.flatMap((place): [Column, string][] => [
    [`name${place}`, `Option${place} Name`],
    [`value${place}`, `Option${place} Value`],
  ]),
  ['sku', 'Variant SKU', 'SKU'],
  ['grams', 'Variant Grams', 'Weight value (grams)'],
  ['price', 'Variant Price', 'Price'],
  ['compareAt', 'Variant Compare At Price', 'Compare-at price', 'Compare at price'],
  ['ships', 'Variant Requires Shipping', 'Requires shipping'],
  ['barcode', 'Variant Barcode', 'Barcode'],
  ['image', 'Image Src', 'Product image URL'],
  ['imagePosition', 'Image Position'],
  ['imageAlt', 'Image Alt Text'],
  ['status', 'Status'],
  ['taxCategory', 'Tax category'],
  ['markdown', 'Description (Markdown)'],
];

const byHeading = new Map(headings.flatMap(([column, ...names]) => names.map((name) => [name.toLowerCase(), column])));

export const columnOf = (heading: string): Column | undefined => byHeading.get(heading.trim().toLowerCase());

/** The columns that an export has, in their order, by the headings that every importer knows. */
export const exported: readonly (readonly [Column, string])[] = headings
  .filter(([column]) => column !== 'category')
  .map(([column, name = '']) => [column, name]);
