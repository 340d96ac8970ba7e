import { isCurrency } from '@steward/kernel';
import { z } from 'zod';

/** Of an integer that agents send: beyond it there is no amount and no count. */
export const largest = 2_147_483_647;

/*
 * What agents send, as the protocol says it: its objects are closed, and a member that it does not know is refused. Lengths and numbers have ends of ours.
 */

export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((said) => !said.includes('\0'), 'Remove NUL characters');
export const many = <T extends z.ZodType>(one: T, most: number) => z.array(one).max(most);
const id = text(255).min(1);
const optional = (longest: number) => text(longest).nullish();
const whole = z.int().min(0).max(largest);

/** In releases and examples of the protocol an item is written in three ways; each says what, and how many. */
const item = z
  .strictObject({
    id: id.optional(),
    item: z.strictObject({ id, name: text(500).optional(), unit_amount: whole.optional() }).optional(),
    name: text(500).optional(),
    unit_amount: whole.optional(),
    quantity: z.int().min(1).max(999_999).optional(),
  })
  .refine((given) => given.item !== undefined || given.id !== undefined, 'Give the id of an item');
const items = z.array(item).min(1).max(500);
export type ItemGiven = z.output<typeof item>;

export const address = z.strictObject({
  name: text(200),
  line_one: text(200),
  line_two: optional(200),
  city: text(100),
  state: text(100),
  country: text(60),
  postal_code: text(40),
  company: optional(200),
});
export type AddressGiven = z.output<typeof address>;

const buyer = z.strictObject({
  first_name: text(100).optional(),
  last_name: text(100).optional(),
  full_name: text(200).optional(),
  email: text(320),
  phone_number: text(40).optional(),
  customer_id: text(255).optional(),
  account_type: z.enum(['guest', 'registered', 'business']).optional(),
  authentication_status: z.enum(['authenticated', 'guest', 'requires_signin']).optional(),
  company: z
    .strictObject({
      name: text(200),
      tax_id: text(100).optional(),
      department: text(200).optional(),
      cost_center: text(200).optional(),
    })
    .optional(),
  loyalty: z
    .strictObject({
      tier: text(100).optional(),
      points_balance: z.int().max(largest).optional(),
      member_since: text(60).optional(),
    })
    .optional(),
  tax_exemption: z
    .strictObject({
      certificate_id: text(200),
      certificate_type: z.enum(['resale', 'exempt_organization', 'government']),
      exempt_regions: many(text(100), 100).optional(),
      expires_at: text(60).optional(),
    })
    .optional(),
});
export type BuyerGiven = z.output<typeof buyer>;

const fulfillmentDetails = z.strictObject({
  name: optional(200),
  phone_number: optional(40),
  email: optional(320),
  address: address.nullish(),
});
export type FulfillmentDetails = z.output<typeof fulfillmentDetails>;

const selected = z.strictObject({
  type: z.enum(['shipping', 'digital', 'pickup', 'local_delivery']).optional(),
  option_id: id,
  item_ids: many(id, 500).optional(),
});

const groups = many(
  z.strictObject({
    id,
    item_ids: many(id, 500),
    destination_type: z.enum(['shipping', 'pickup', 'local_delivery', 'digital']),
    fulfillment_details: fulfillmentDetails.optional(),
    location_id: id.optional(),
    instructions: text(2_000).optional(),
  }),
  1,
);

const codes = many(text(200), 50);
const discounts = z.strictObject({ codes: codes.nullish() });

const hasNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
const free = z
  .record(text(200), z.unknown())
  .refine((one) => !hasNul(one), 'Remove NUL characters')
  .refine((one) => JSON.stringify(one).length <= 8_000, 'Give at most 8000 characters');

/** What an agent can that is new to us is passed over, unlike elsewhere: the protocol grows by it. */
const capabilities = z.looseObject({
  interventions: z
    .looseObject({
      supported: many(text(60), 50).optional(),
      max_redirects: whole.optional(),
      max_interaction_depth: z.int().min(1).max(largest).optional(),
    })
    .optional(),
  extensions: many(z.union([text(300), z.looseObject({ name: text(300) })]), 50).optional(),
});

/** Words about something, without any of their own below them. */
const remarks = z
  .record(text(200), z.union([text(500), z.number(), z.boolean()], 'Give text, a number, true or false'))
  .refine((all) => Object.keys(all).length <= 50, 'Give at most 50 members');

const attribution = z
  .looseObject({
    provider: text(200),
    token: text(4_000).optional(),
    publisher_id: text(500).optional(),
    metadata: remarks.optional(),
  })
  .refine(({ token, publisher_id: publisher }) => token !== undefined || publisher !== undefined, {
    path: ['token'],
    message: 'Give a token, or a publisher_id',
  });
const locale = text(35);

const changes = {
  buyer: buyer.nullish(),
  fulfillment_details: fulfillmentDetails.nullish(),
  fulfillment_groups: groups.nullish(),
  coupons: codes.nullish(),
  discounts: discounts.nullish(),
  order_notes: optional(2_000),
};

export const createGiven = z
  .strictObject({
    ...changes,
    line_items: items.optional(),
    items: items.optional(),
    currency: text(3).refine((code) => isCurrency(code.toUpperCase()), 'Give a currency of ISO 4217, such as usd'),
    capabilities,
    selected_fulfillment_options: many(selected, 20).nullish(),
    affiliate_attribution: attribution.optional(),
    locale: locale.optional(),
    timezone: text(60).optional(),
    quote_id: text(255).optional(),
    metadata: free.optional(),
  })
  .refine((given) => given.line_items !== undefined || given.items !== undefined, {
    path: ['line_items'],
    message: 'Give at least one item',
  });
export type CreateGiven = z.output<typeof createGiven>;

export const updateGiven = z.strictObject({
  ...changes,
  line_items: items.optional(),
  items: items.optional(),
  selected_fulfillment_options: many(selected, 20).nullish(),
});
export type UpdateGiven = z.output<typeof updateGiven>;

export const completeGiven = z.strictObject({
  buyer: buyer.nullish(),
  payment_data: z.strictObject({
    handler_id: id.optional(),
    instrument: z
      // What a way of paying wants besides is its own: the protocol leaves these two open.
      .looseObject({ type: id, credential: z.looseObject({ type: id, token: text(4_000).min(1) }) })
      .optional(),
    billing_address: address.nullish(),
    purchase_order_number: text(255).optional(),
    payment_terms: z.enum(['immediate', 'net_15', 'net_30', 'net_60', 'net_90']).optional(),
    due_date: text(60).optional(),
    approval_required: z.boolean().optional(),
  }),
  authentication_result: z
    .strictObject({
      outcome: z.enum([
        'abandoned',
        'attempt_acknowledged',
        'authenticated',
        'canceled',
        'denied',
        'informational',
        'internal_error',
        'not_supported',
        'processing_error',
        'rejected',
      ]),
      outcome_details: z
        .strictObject({
          three_ds_cryptogram: text(500),
          electronic_commerce_indicator: z.enum(['01', '02', '05', '06', '07']),
          transaction_id: text(500),
          version: text(40),
        })
        .optional(),
    })
    .optional(),
  affiliate_attribution: attribution.optional(),
  risk_signals: z
    .strictObject({
      ip_address: text(100).optional(),
      user_agent: text(1_000).optional(),
      accept_language: text(300).optional(),
      session_id: text(300).optional(),
      device_fingerprint: text(1_000).optional(),
    })
    .optional(),
  marketing_consents: many(z.strictObject({ channel: text(60), opted_in: z.boolean() }), 20).optional(),
  order_notes: optional(2_000),
});
export type CompleteGiven = z.output<typeof completeGiven>;

/** Why a buyer went: nothing is kept of it. */
export const cancelGiven = z
  .looseObject({
    intent_trace: z
      .looseObject({
        reason_code: text(60),
        trace_summary: text(500).optional(),
        metadata: remarks.optional(),
      })
      .optional(),
  })
  .optional();

export const cartCreateGiven = z
  .strictObject({
    line_items: items.optional(),
    items: items.optional(),
    buyer: buyer.nullish(),
    locale: locale.optional(),
  })
  .refine((given) => given.line_items !== undefined || given.items !== undefined, {
    path: ['line_items'],
    message: 'Give at least one item',
  });
export type CartGiven = z.output<typeof cartCreateGiven>;
