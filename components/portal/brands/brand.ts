import { field, flag, id, moment, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';

/** Pages of a brand that buyers are led to before they buy: addresses, https, by what they say. What is not there has none. */
export type BrandLinks = Readonly<Partial<Record<'terms' | 'privacy' | 'returns' | 'shipping' | 'faq', string>>>;

const isPage = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[\s\p{Cc}]/u.test(address);
};
const page = z
  .string()
  .max(2_000)
  .refine(isPage, 'Give an address that begins with https://, without a user or spaces');
const pages = <V extends z.ZodType>(value: V) =>
  z.strictObject({
    terms: value.optional().meta({ description: 'Terms of sale.' }),
    privacy: value.optional().meta({ description: 'Privacy policy.' }),
    returns: value.optional().meta({ description: 'Policy for returns and refunds.' }),
    shipping: value.optional().meta({ description: 'Policy for shipping.' }),
    faq: value.optional().meta({ description: 'Frequently asked questions.' }),
  });

/** What is given of them: null takes one away, and what is left out stays. */
export const linksGiven = pages(page.nullable());

/** Of `portal.brand` named `b`. */
export const brand = shape('b', {
  id: id('b.brand_id'),
  name: text(),
  isDefault: flag(),
  createdAt: moment(),
  /** Pages that buyers are led to before they buy. */
  links: field(pages(z.string()), undefined, (stored) => stored as BrandLinks),
});

export const brandName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted');

export const unknownBrand = (): Error => fail('not_found', 'There is no such brand.');
