import type { BuyerCheckout as Checkout } from '@steward/checkout';
import type { Version } from '../negotiation/versions.ts';
import type { Instrument } from '../shown/given.ts';
import { chosen } from './wanted.ts';

type Offered = Checkout['paymentHandlers'];

/** Ids under which platforms name our ways of paying. The one for tests has the id that samples of the protocol use. */
const ids: Readonly<Record<string, string>> = { test: 'mock_payment_handler', card: 'card', manual: 'manual' };

/** Tokens of the handler for tests, and what becomes of a payment by each; any other is declined. */
const tokens: Readonly<Record<string, string>> = {
  success_token: 'succeed',
  fail_token: 'decline',
  action_token: 'require_action',
  timeout_token: 'time_out',
};

/** What a token of the provider of cards begins with: shared by the platform of the agent, or made with the public key of the shop. */
const cardTokens = ['spt_', 'pm_', 'ctoken_'];

const instruments: Readonly<Record<string, (methods: readonly string[]) => { type: string }[]>> = {
  test: () => [{ type: 'card' }],
  card: () => [{ type: 'card' }],
  manual: (methods) => methods.map((type) => ({ type })),
};

/** Of what the shop offers, what needs nothing but an answer of a platform. */
export const usable = (offered: Offered): Offered => offered.filter(({ handler }) => Object.hasOwn(ids, handler));

export const showHandlers = (offered: Offered, version: Version): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    usable(offered).map(({ handler, methods }) => [
      `dev.steward.payments.${handler}`,
      [
        {
          id: ids[handler],
          version,
          available_instruments: instruments[handler]?.(methods) ?? [],
          ...(handler === 'test' ? { config: { environment: 'test', tokens: Object.keys(tokens) } } : {}),
          ...(handler === 'card' ? { config: { psp: 'stripe', tokens: cardTokens } } : {}),
        },
      ],
    ]),
  );

interface Paid {
  readonly handler: string;
  readonly method: string;
  /** What stands for a card: it is handed on to the provider and kept nowhere. */
  readonly token?: string;
}

/** As the shop is paid; undefined where exactly one instrument of a handler of ours was not chosen. */
export function payingBy(given: readonly Instrument[], offered: Offered): Paid | undefined {
  const instrument = chosen(given);
  if (instrument === undefined) return undefined;
  const handler = Object.keys(ids).find((name) => ids[name] === instrument.handler_id);
  if (handler === undefined || !offered.some((one) => one.handler === handler)) return undefined;
  if (handler === 'manual') return { handler, method: instrument.type ?? '' };
  const token = instrument.credential?.token ?? '';
  if (handler === 'card') return { handler, method: 'card', token };
  return { handler, method: Object.hasOwn(tokens, token) ? (tokens[token] ?? 'decline') : 'decline' };
}
