import {
  addressesOfTests,
  type BuyerCheckout as Checkout,
  type SessionDeps,
  shippingOptionsNamed,
  updateCheckout,
} from '@steward/checkout';
import { dictionary } from '@steward/kernel';
import { type Destination, postalFrom } from '../checkout/destination.ts';
import { minorOf } from '../shown/money.ts';
import { tokenIn } from '../checkout/handlers.ts';
import { type Beyond, holding } from '../checkout/verbs.ts';
import { stateOf } from '../checkout/state.ts';

/** Invented buyers of the official suite, and where it has them live. Nobody else's address is ever told to whoever knows an e-mail address. */
const known = dictionary<readonly Destination[]>({
  'john.doe@example.com': [
    {
      id: 'addr_1',
      street_address: '123 Main St',
      address_locality: 'Springfield',
      address_region: 'IL',
      postal_code: '62704',
      address_country: 'US',
    },
    {
      id: 'addr_2',
      street_address: '456 Oak Ave',
      address_locality: 'Metropolis',
      address_region: 'NY',
      postal_code: '10012',
      address_country: 'US',
    },
  ],
});

/** The suite calls ways of shipping by names that its seed has, and buys for nobody. */
export const conformanceBeyond = (sessions: SessionDeps): Beyond => ({
  known: async ({ context, shop }, email) => {
    if (email === undefined) return [];
    const invented = known[email.toLowerCase()];
    if (invented !== undefined) return invented;
    const before = await addressesOfTests(context, shop.brandId, email);
    return before.map((address, at) => ({ ...postalFrom(address), id: `dest_${at + 1}` }));
  },
  offered: ({ name, due }) => ({
    id: name,
    title: minorOf(due) === 0 ? `Free ${name}` : name,
    amount: minorOf(due),
  }),
  options: async ({ context }) => {
    const all = await shippingOptionsNamed(context);
    return (named, country = '') =>
      all.find(({ name, countries }) => name === named && countries.includes(country.toUpperCase()))?.id;
  },
  complete: async ({ context, shop }, checkout: Checkout) => {
    const { email, shippingAddress: to } = checkout;
    const change = {
      ...(email === null ? { email: 'nobody@example.com' } : {}),
      ...(to === null ? {} : { shippingAddress: { ...to, line1: to.line1 || '-', city: to.city || '-' } }),
    };
    await updateCheckout(context, shop, holding(checkout.id), change, sessions, {
      doorState: stateOf(checkout),
      lenient: true,
      buying: true,
    });
  },
  // It knows one kind of discount, and shipping at what is due of it.
  totals: (totals) => {
    const ofShipping = totals.find(({ type }) => type === 'discount')?.amount ?? 0;
    return totals.flatMap((one) => {
      if (one.type === 'discount') return [];
      if (one.type === 'items_discount') return [{ ...one, type: 'discount' }];
      return [one.type === 'fulfillment' ? { ...one, amount: one.amount + ofShipping } : one];
    });
  },
  // It pays by the invented number of a card as well, which is kept nowhere.
  token: (credential) => (credential?.type === 'card' ? 'success_token' : tokenIn(credential)),
});
