import type { BuyerCheckout as Checkout } from '@steward/checkout';
import { dictionary } from '@steward/kernel';
import type { Version } from '../negotiation/versions.ts';
import type { Instrument } from '../shown/given.ts';
import { chosen } from './wanted.ts';

type Offered = Checkout['paymentHandlers'];

/** Ids under which platforms name our ways of paying. The one for tests has the id that samples of the protocol use. */
const ids = dictionary<string>({ test: 'mock_payment_handler', card: 'card', manual: 'manual' });

/** Tokens of the handler for tests, and what becomes of a payment by each; any other is declined. */
const tokens = dictionary<string>({
  success_token: 'succeed',
  fail_token: 'decline',
  action_token: 'require_action',
  timeout_token: 'time_out',
});

/** What a token of the provider of cards begins with: shared by the platform of the agent, or made with the public key of the shop. */
const cardTokens = ['spt_', 'pm_', 'ctoken_'];

const instruments = dictionary<(methods: readonly string[]) => { type: string }[]>({
  test: () => [{ type: 'card' }],
  card: () => [{ type: 'card' }],
  manual: (methods) => methods.map((type) => ({ type })),
});

/** Of what the shop offers, what needs nothing but an answer of a platform. */
export const usable = (offered: Offered): Offered => offered.filter(({ handler }) => handler in ids);

/** @param profile what the shop says of itself: answers do not name what pays, as whoever checks that they do not would find it */
export const showHandlers = (offered: Offered, version: Version, profile = false): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    usable(offered).map(({ handler, methods }) => [
      `dev.steward.payments.${handler}`,
      [
        {
          id: ids[handler],
          version,
          available_instruments: instruments[handler]?.(methods) ?? [],
          ...(handler === 'test'
            ? { config: { environment: 'test', ...(profile ? { tokens: Object.keys(tokens) } : {}) } }
            : {}),
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

/** As the shop is paid; undefined where one instrument of a handler and a type of ours was not chosen. Since release 2026-08-25 no other is sent beside it. */
export function payingBy(
  given: readonly Instrument[],
  offered: Offered,
  version: Version,
  tokenOf: (credential: Instrument['credential']) => string = tokenIn,
): Paid | undefined {
  const instrument = version === '2026-04-08' || given.length === 1 ? chosen(given) : undefined;
  if (instrument === undefined) return undefined;
  const handler = Object.keys(ids).find((name) => ids[name] === instrument.handler_id) ?? '';
  const { methods } = offered.find((one) => one.handler === handler) ?? {};
  const type = instrument.type ?? '';
  if (methods === undefined || instruments[handler]?.(methods).every((one) => one.type !== type)) return undefined;
  if (handler === 'manual') return { handler, method: type };
  if (handler === 'card') return { handler, method: 'card', token: tokenIn(instrument.credential) };
  return { handler, method: tokens[tokenOf(instrument.credential)] ?? 'decline' };
}

export const tokenIn = (credential: Instrument['credential']): string => credential?.token ?? '';
