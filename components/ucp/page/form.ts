import { hash } from 'node:crypto';
import type { BuyerCheckout as Checkout } from '@steward/checkout';
import { addressGiven, postalAddress, type PostalAddress } from '@steward/orders';
import { readEmail } from '@steward/crm';
import type { Money } from '@steward/kernel';
import { oneLine } from '../checkout/buyer.ts';
import { postalFrom } from '../checkout/destination.ts';
import { optionsOf, type State, stateOf } from '../checkout/state.ts';
import { keptConsent } from '../checkout/wanted.ts';

/** What a buyer typed. */
export interface Typed {
  readonly email: string;
  readonly name: string;
  readonly line1: string;
  readonly line2: string;
  readonly city: string;
  readonly region: string;
  readonly postcode: string;
  readonly country: string;
  readonly option: string;
  readonly payment: string;
  /** What the button said that it costs, such as `28.90 EUR`. */
  readonly total: string;
  /** What the page showed, as `seenOf` says it. */
  readonly seen: string;
  readonly intent: string;
}

const members = [
  'email',
  'name',
  'line1',
  'line2',
  'city',
  'region',
  'postcode',
  'country',
  'option',
  'payment',
  'total',
  'seen',
  'intent',
] as const;

export function readForm(body: Buffer): Typed {
  const sent = new URLSearchParams(body.toString('utf8'));
  return Object.fromEntries(
    members.map((member) => [member, (sent.get(member) ?? '').replaceAll('\0', '').slice(0, 320)]),
  ) as unknown as Typed;
}

export interface Change {
  readonly email?: string;
  readonly name?: string | null;
  readonly shippingAddress?: PostalAddress;
  readonly shippingOptionId?: string | null;
}

/** What is said by it, what of it cannot be taken, and what the agent is to see of it. */
export function changeOf(checkout: Checkout, typed: Typed): { change: Change; faults: string[]; state: State } {
  const faults: string[] = [];
  const email = readEmail(typed.email.trim())?.address;
  if (typed.email.trim() !== '' && email === undefined)
    faults.push('Write a whole e-mail address, such as ann@example.com.');
  const before = stateOf(checkout);
  const { fulfillment } = before;
  const isPickup = fulfillment?.pickup === true;
  const address = checkout.shippingRequired && !isPickup && typed.line1 !== '' ? addressOf(typed, faults) : undefined;
  const optionId = checkout.shippingOptions.some(({ id }) => id === typed.option) ? typed.option : null;
  const change: Change = {
    ...(email === undefined ? {} : { email, name: oneLine(typed.name) }),
    ...(address === undefined ? {} : { shippingAddress: address }),
    ...(address === undefined && !isPickup ? {} : { shippingOptionId: optionId }),
  };
  const { consent, ...rest } = before;
  const kept = email === undefined ? consent : keptConsent(before, email);
  const state: State = {
    ...rest,
    ...(kept === undefined ? {} : { consent: kept }),
    ...(email === undefined ? {} : { email: email.toLowerCase(), buyer: { ...before.buyer, email } }),
    ...(isPickup ? { fulfillment: { ...fulfillment, optionId } } : {}),
    ...(address === undefined
      ? {}
      : {
          fulfillment: {
            methodId: fulfillment?.methodId ?? 'shipping',
            groupId: fulfillment?.groupId ?? 'package',
            destinations: [{ ...postalFrom(address), id: 'by_buyer' }],
            destinationId: 'by_buyer',
            optionId,
          },
        }),
  };
  return { change, faults, state };
}

function addressOf(typed: Typed, faults: string[]): PostalAddress | undefined {
  const given = addressGiven.safeParse({
    name: oneLine(typed.name),
    line1: typed.line1,
    line2: oneLine(typed.line2),
    city: typed.city,
    region: oneLine(typed.region, 100),
    postcode: typed.postcode.trim() === '' ? null : typed.postcode.trim(),
    country: typed.country.trim().toUpperCase(),
  });
  if (given.success) return postalAddress(given.data);
  const asked = {
    line1: 'the street',
    city: 'the town or city',
    country: 'the country',
    postcode: 'a postcode of letters, digits, spaces and hyphens',
  };
  const wrong = new Set(given.error.issues.map(({ path }) => path[0]));
  const wanted = Object.entries(asked).flatMap(([member, what]) => (wrong.has(member) ? [what] : []));
  faults.push(`Give ${wanted.length === 0 ? 'the address in fewer words' : wanted.join(', ')}.`);
  return undefined;
}

/** What the buyer agreed to pay; what no page of ours said agrees with nothing. */
export function agreedTotal({ total }: Typed): Money {
  const [amount = '', currency = ''] = total.split(' ');
  return { amount, currency };
}

/** What the buyer sees beside the total, which says nothing of a size of the same price. */
export const seenOf = ({ lines, shippingRequired, shippingAddress, billingAddress, ...rest }: Checkout): string => {
  const isPickup = stateOf(rest).fulfillment?.pickup === true;
  const pieces = lines.map(({ variantId, quantity }) => [variantId, quantity]);
  const seen = [pieces, shippingRequired, isPickup, shippingAddress, billingAddress];
  return hash('sha256', JSON.stringify(seen), 'base64url');
};

/** The cheapest way of shipping, where there is a choice to make and it is not made: buyers see at once what they will pay. */
export function usualOption(checkout: Checkout): string | undefined {
  if (!checkout.shippingRequired || checkout.shippingOptionId !== null) return undefined;
  return optionsOf(checkout).toSorted((one, other) => Number(one.due.amount) - Number(other.due.amount))[0]?.id;
}

export const withOption = (state: State, optionId: string): State =>
  state.fulfillment === undefined ? state : { ...state, fulfillment: { ...state.fulfillment, optionId } };
