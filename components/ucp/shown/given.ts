import { z } from 'zod';

/** Of an integer that agents send: beyond it there is no amount and no count. */
const largest = 2_147_483_647;

/*
 * What agents send, as the protocol says it: of every object, members that are not known are passed over, and of those that are known, only what is
 * read here is kept. Lengths and numbers have ends of ours.
 */

const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((said) => !said.includes('\0'), 'Remove NUL characters');
/** Text of a person; null says as much as nothing. */
const said = (longest: number) =>
  text(longest)
    .nullish()
    .transform((one) => one ?? undefined);
const many = <T extends z.ZodType>(one: T, most: number) => z.array(one).max(most);
export const mostIdLength = 255;
const id = text(mostIdLength);

const lineItem = z.looseObject({
  id: id.nullish(),
  item: z.looseObject({ id: id.min(1) }),
  quantity: z.int().min(1).max(largest),
});
export const lineItems = many(lineItem, 500);
export type LineItem = z.output<typeof lineItem>;

export const postalAddress = z.looseObject({
  first_name: said(100),
  last_name: said(100),
  full_name: said(200),
  street_address: said(200),
  extended_address: said(200),
  address_locality: said(100),
  address_region: said(100),
  postal_code: said(40),
  address_country: said(60),
  phone_number: said(40),
});
export type PostalAddress = z.output<typeof postalAddress>;

/** `null` is no choice; what is left out says nothing. */
const choice = id.nullable().optional();

const destination = postalAddress.extend({ id: id.nullish() });

const method = z.looseObject({
  id: id.nullish(),
  type: text(40).nullish(),
  destinations: many(destination, 20).nullish(),
  selected_destination_id: choice,
  groups: many(z.looseObject({ id: id.nullish(), selected_option_id: choice }), 20).nullish(),
});
export const fulfillment = z.looseObject({ methods: many(method, 20).nullish() });
export type Method = z.output<typeof method>;

export const discounts = z.looseObject({ codes: many(text(200), 50).nullish() });

const purpose = z.union([z.boolean(), z.looseObject({ granted: z.boolean() })]);
export const buyer = z.looseObject({
  first_name: said(100),
  last_name: said(100),
  full_name: said(200),
  email: said(320),
  phone_number: said(40),
  /** By purpose: release 2026-04-08 says a boolean, 2026-08-25 an object. */
  consent: z
    .record(text(200), z.union([purpose, z.unknown()]))
    .refine((all) => Object.keys(all).length <= 50, 'Give at most 50 purposes')
    .nullish(),
});

const instrument = z.looseObject({
  id: id.nullish(),
  handler_id: id.nullish(),
  type: text(60).nullish(),
  selected: z.boolean().nullish(),
  billing_address: postalAddress.nullish(),
  credential: z.looseObject({ type: text(100).nullish(), token: text(4000).nullish() }).nullish(),
});
export type Instrument = z.output<typeof instrument>;
export const payment = z.looseObject({ instruments: many(instrument, 20).nullish() });

export const context = z.looseObject({
  language: text(35).nullish(),
  currency: text(3).nullish(),
  eligibility: many(text(255), 50).nullish(),
});

/** Where a buyer came from, in words of the platform. */
export const attribution = z
  .record(text(100), text(500))
  .refine((all) => Object.keys(all).length <= 30, 'Give at most 30 markers');

const written = {
  buyer: buyer.nullish(),
  context: context.nullish(),
  discounts: discounts.nullish(),
  attribution: attribution.nullish(),
};

export const cartGiven = z.looseObject({ line_items: lineItems, ...written });
export type CartGiven = z.output<typeof cartGiven>;

export const checkoutGiven = z
  .looseObject({
    line_items: lineItems.nullish(),
    cart_id: id.nullish(),
    ...written,
    fulfillment: fulfillment.nullish(),
    payment: payment.nullish(),
  })
  .refine(({ line_items: lines, cart_id: cart }) => lines != null || cart != null, {
    path: ['line_items'],
    message: 'Give the items, or the id of a cart',
  });
export type CheckoutGiven = z.output<typeof checkoutGiven>;

export const completeGiven = z.looseObject({
  payment: payment.nullish(),
  buyer: buyer.nullish(),
});
export type CompleteGiven = z.output<typeof completeGiven>;

/** Of a catalogue: also the place where somebody would fetch goods. */
const catalogueContext = context.extend({ location: text(255).nullish() });
export type CatalogueContext = z.output<typeof catalogueContext> | null | undefined;

const filters = z.looseObject({
  categories: many(text(255), 20).nullish(),
  price: z
    .looseObject({ min: z.int().min(0).max(largest).nullish(), max: z.int().min(0).max(largest).nullish() })
    .nullish(),
  fulfills_to: z.looseObject({ location: text(255).nullish() }).nullish(),
  methods: many(text(60), 20).nullish(),
});
export type CatalogueFilters = z.output<typeof filters> | null | undefined;

export const searchGiven = z.looseObject({
  query: text(200).nullish(),
  context: catalogueContext.nullish(),
  filters: filters.nullish(),
  pagination: z.looseObject({ cursor: text(200).nullish(), limit: z.int().min(1).max(largest).nullish() }).nullish(),
});
export type SearchGiven = z.output<typeof searchGiven>;

export const lookupGiven = z.looseObject({
  // How many are looked up is said by its own code.
  ids: z.array(id).min(1).max(100_000),
  context: catalogueContext.nullish(),
  filters: filters.nullish(),
});
export type LookupGiven = z.output<typeof lookupGiven>;

export const productGiven = z.looseObject({
  id: id.min(1),
  selected: many(z.looseObject({ name: text(255), label: text(255) }), 20).nullish(),
  preferences: many(text(255), 20).nullish(),
  context: catalogueContext.nullish(),
  filters: filters.nullish(),
});
export type ProductGiven = z.output<typeof productGiven>;
