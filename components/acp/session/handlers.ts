import type { BuyerCheckout as Checkout } from '@steward/checkout';
import { dictionary } from '@steward/kernel';
import type { CompleteGiven } from '../shown/given.ts';
import { version } from '../versions.ts';
import type { Visit } from '../visit.ts';

type Offered = Checkout['paymentHandlers'];
type At = Pick<Visit, 'base'> & { readonly shop: Pick<Visit['shop'], 'brandId'> };

interface Handler {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly psp: string;
  /** Ours that it pays by. */
  readonly by: string;
  /** Who issues the tokens that it takes within an allowance: this door for tests, or the provider of cards. */
  readonly delegated?: 'here' | 'provider';
  readonly config: (methods: readonly string[], at: At) => Readonly<Record<string, unknown>>;
  readonly configSchema: object;
  readonly instrument: object;
}

/** Tokens of the handler for tests, and what becomes of a payment by each; any other is declined. */
const tokens = dictionary<string>({
  success_token: 'succeed',
  fail_token: 'decline',
  action_token: 'require_action',
  timeout_token: 'time_out',
});

const $schema = 'https://json-schema.org/draft/2020-12/schema';
const instrumentOf = (type: object, credential: object = { type: 'string' }, token: object = { type: 'string' }) => ({
  $schema,
  type: 'object',
  required: ['type', 'credential'],
  properties: {
    type,
    credential: { type: 'object', required: ['type', 'token'], properties: { type: credential, token } },
  },
});
const words = { type: 'array', items: { type: 'string' } };
const psp = 'steward_test';

const stripe = 'stripe';
const accepted = {
  accepted_brands: ['visa', 'mastercard', 'amex'],
  accepted_funding_types: ['credit', 'debit', 'prepaid'],
};
const cardConfig = (provider: string, more: object = {}) => ({
  $schema,
  type: 'object',
  required: ['merchant_id', 'psp'],
  properties: {
    merchant_id: { type: 'string', maxLength: 256 },
    psp: { const: provider },
    accepted_brands: words,
    accepted_funding_types: words,
    supports_3ds: { type: 'boolean' },
    ...more,
  },
});

/** Of our ways of paying, those that need nothing but an answer of a platform, by the folder in which their schemas are served. */
const handlers = dictionary<Handler>({
  'tokenized-card': {
    id: 'card_tokenized',
    name: 'dev.acp.tokenized.card',
    title: 'Card, for tests',
    version: '2026-01-22',
    psp,
    by: 'test',
    delegated: 'here',
    config: (_methods, { shop }) => ({
      merchant_id: shop.brandId,
      psp,
      ...accepted,
      supports_3ds: true,
      environment: 'sandbox',
    }),
    configSchema: cardConfig(psp, { environment: { const: 'sandbox' } }),
    instrument: instrumentOf(
      { const: 'card' },
      { const: 'spt' },
      { type: 'string', pattern: '^vt_[a-zA-Z0-9]+$', description: 'The id that delegate_payment answered.' },
    ),
  },
  card: {
    id: 'card',
    name: 'dev.acp.tokenized.card',
    title: 'Card',
    version: '2026-01-22',
    psp: stripe,
    by: 'card',
    delegated: 'provider',
    config: (_methods, { shop }) => ({ merchant_id: shop.brandId, psp: stripe, ...accepted, supports_3ds: true }),
    configSchema: cardConfig(stripe),
    instrument: instrumentOf(
      { const: 'card' },
      { const: 'spt' },
      { type: 'string', pattern: '^(spt|pm|ctoken)_', description: 'A token of Stripe.' },
    ),
  },
  test: {
    id: 'mock_payment_handler',
    name: 'dev.steward.payments.test',
    title: 'Test payment',
    version,
    psp: 'none',
    by: 'test',
    config: () => ({ environment: 'test' }),
    configSchema: { $schema, type: 'object', properties: { environment: { const: 'test' } } },
    // Sessions do not name what pays, as whoever checks that they do not would find it.
    instrument: instrumentOf({ const: 'card' }, undefined, {
      type: 'string',
      description: `One of ${Object.keys(tokens).join(', ')}; any other is declined.`,
    }),
  },
  manual: {
    id: 'manual',
    name: 'dev.steward.payments.manual',
    title: 'As the shop says',
    version,
    psp: 'none',
    by: 'manual',
    config: (methods) => ({ methods: [...methods] }),
    configSchema: { $schema, type: 'object', properties: { methods: words } },
    instrument: instrumentOf({ type: 'string', description: 'One of `methods`.' }),
  },
});
const all = Object.entries(handlers);

export const usable = (offered: Offered): Offered =>
  offered.filter(({ handler }) => all.some(([, { by }]) => by === handler));

/** @param at the door, where the schemas of handlers are served */
export const showHandlers = (offered: Offered, at: At) =>
  offered
    .flatMap(({ handler, methods }) =>
      all.flatMap(([name, one]) => (one.by === handler ? [{ name, one, methods }] : [])),
    )
    .map(({ name, one, methods }, order) => {
      const folder = `${at.base}/payment-handlers/${name}`;
      return {
        id: one.id,
        name: one.name,
        display_name: one.title,
        version: one.version,
        spec: `${folder}/config.json`,
        requires_delegate_payment: one.delegated !== undefined,
        requires_pci_compliance: false,
        psp: one.psp,
        config_schema: `${folder}/config.json`,
        instrument_schemas: [`${folder}/instrument.json`],
        config: one.config(methods, at),
        display_order: order,
      };
    });

/** What is served of a handler; undefined: there is no such document. */
export const documentOf = (handler: string, name: string): object | undefined => {
  const one = handlers[handler];
  if (name === 'config.json') return one?.configSchema;
  return name === 'instrument.json' ? one?.instrument : undefined;
};

/** How the shop is paid: by a way of its own, or by what a token was issued for. */
export type Paid =
  | { readonly by: 'method'; readonly handler: string; readonly method: string }
  /** Issued here. */
  | { readonly by: 'token'; readonly handler: string; readonly token: string }
  /** Of the provider: it is handed on and kept nowhere. */
  | { readonly by: 'card'; readonly token: string };

/** Undefined where no handler of ours was chosen, or another instrument than it takes. */
export function payingBy(
  { handler_id: id, instrument }: CompleteGiven['payment_data'],
  offered: Offered,
): Paid | undefined {
  const chosen = all.find(([, one]) => one.id === id)?.[1];
  if (chosen === undefined || instrument === undefined || !offered.some(({ handler }) => handler === chosen.by))
    return undefined;
  const { by: handler, delegated } = chosen;
  if (handler !== 'manual' && instrument.type !== 'card') return undefined;
  const { token } = instrument.credential;
  if (delegated === 'provider') return { by: 'card', token };
  if (delegated === 'here') return { by: 'token', handler, token };
  if (handler === 'manual') return { by: 'method', handler, method: instrument.type };
  return { by: 'method', handler, method: tokens[token] ?? 'decline' };
}
