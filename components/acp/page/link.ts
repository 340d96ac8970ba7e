import { type BuyerCheckout as Checkout, isToken, tokenDigest, tokenOf } from '@steward/checkout';

const linkOf = (secret: Uint8Array, id: string): string => tokenOf(secret, `acp page ${id}`);

/** Where the buyer confirms a payment with their bank, and comes back to: its address opens that page and nothing else. */
export const continueUrl = (at: string, secret: Uint8Array, id: string): string =>
  `${at}/checkout/${id}?t=${linkOf(secret, id)}`;

/** Whether a token is that of the page's address. */
export const opens = (token: string, secret: Uint8Array, id: string): boolean =>
  isToken(token, tokenDigest(linkOf(secret, id)));

/** Whether the payment waits for what its buyer does elsewhere. */
export const isAtBank = ({ status, payment }: Checkout): boolean =>
  status === 'completing' && payment?.action?.kind === 'stripe';
