import { fits, line, versionNumber } from '@steward/contract';
import { z } from 'zod';
import { statuses } from './product.ts';

export const mostProducts = 100;
export const mostVariants = 1_000;
export const mostOptions = 5;
/** Of one variant: currencies times steps of quantity. */
const mostPrices = 50;

const amount = z.string().min(1).max(30);

export const priceInput = z.strictObject({
  amount: amount.meta({
    description: 'For one, with exactly the digits of its currency: "19.99" in EUR, "1999" in JPY.',
  }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Give a code of ISO 4217 in upper case, such as EUR')
    .meta({ description: 'ISO 4217, upper case.' }),
  compareAt: amount.optional().meta({ description: 'What it cost before: shown struck through. More than `amount`.' }),
  minQuantity: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ default: 1, description: 'The price from this quantity on. Each currency needs one from 1 on.' }),
});
export type PriceInput = z.output<typeof priceInput>;

export const prices = z
  .array(priceInput)
  .max(mostPrices)
  .meta({ description: 'The whole list. A variant is sold only in the currencies that it has a price in.' });

const label = line(255);
/** A text of several lines that the database can hold. */
const storable = (longest: number) =>
  z
    .string()
    .max(longest)
    .check(fits(/^[^\0]*$/, 'Remove NUL characters'));
/** A name that objects of the language do not have in themselves. */
const own = (name: z.ZodString) =>
  name.refine((text) => text !== '__proto__', 'Give another name: this one is reserved');

export const variantInput = z.strictObject({
  options: z.record(z.string().max(255), label).optional().meta({
    description: 'A value for each option of the product, such as `{"Size": "M"}`. None where it has no options.',
  }),
  sku: line(100).nullable().optional().meta({ description: 'Your own number of the variant.' }),
  barcode: line(100).nullable().optional().meta({ description: 'GTIN, EAN, UPC or ISBN.' }),
  weightGrams: z.int().min(0).max(100_000_000).nullable().optional().meta({ description: 'In grams, for shipping.' }),
  requiresShipping: z.boolean().optional().meta({ default: true, description: 'false: a service or a download.' }),
  prices: prices.optional(),
});
export type VariantInput = z.output<typeof variantInput>;

export const handleInput = z
  .string()
  .max(120)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Give lower-case letters and digits with single hyphens between them');

export const members = {
  title: label.meta({ description: 'Name that buyers read.' }),
  handle: handleInput
    .optional()
    .meta({ description: 'Name in addresses, such as `linen-shirt`. Default: made of the title.' }),
  description: storable(20_000).optional().meta({ description: 'Markdown. HTML in it is shown as text.' }),
  vendor: label.nullable().optional().meta({ description: 'Who makes it.' }),
  type: label.nullable().optional().meta({ description: 'Kind of product, such as `Shirt`.' }),
  tags: z
    .array(label)
    .max(100)
    .optional()
    .meta({ description: 'The whole list. Collections and searches go by them.' }),
  status: z
    .enum(statuses)
    .optional()
    .meta({ description: 'Buyers see `active` products of brands that they are published to. Default: `draft`.' }),
  taxCategory: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Give a code such as standard or reduced')
    .optional()
    .meta({ description: 'Which rates of the tax zones apply. Default: `standard`.' }),
  custom: z
    .record(own(line(100)), z.union([storable(5_000), z.number(), z.boolean()]))
    .refine((fields) => Object.keys(fields).length <= 100, 'Give at most 100 fields')
    .refine((fields) => Buffer.byteLength(JSON.stringify(fields)) <= 60_000, 'Give at most 60,000 bytes in all')
    .optional()
    .meta({ description: 'Fields of your own: texts, numbers and booleans by name. The whole object.' }),
} as const;

export const optionNames = z
  .array(own(label))
  .max(mostOptions)
  .refine((names) => new Set(names).size === names.length, 'Give each option once')
  .meta({ description: 'Names of the options in their order, such as `["Size", "Colour"]`.' });

export const brandIds = z.array(z.uuid()).max(100);

export const expectedVersion = versionNumber
  .optional()
  .meta({ description: 'Refuses the change where the product has another version by now.' });
