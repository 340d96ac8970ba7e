import type { Opening, Pickup } from '@steward/checkout';
import type { z } from 'zod';
import { names as capabilities } from '../negotiation/versions.ts';
import type {
  attribution,
  CheckoutGiven,
  fulfillment as fulfillmentGiven,
  Instrument,
  Method,
} from '../shown/given.ts';
import { problem } from '../shown/message.ts';
import { Refused } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';
import { buyerOf, consentOf, emailOf, nameOf, oneLine } from './buyer.ts';
import { addressOf, type Destination, isSame, postalOf } from './destination.ts';
import type { Fulfillment, ShownInstrument, State } from './state.ts';

type Said = NonNullable<Opening['said']>;

/** Everything of a request but its lines: as the shop takes it, and as this door keeps it. */
export interface Wanted {
  readonly said: Said;
  readonly codes: string[];
  readonly locale: string | undefined;
  readonly state: State;
}

export interface Knowing {
  /** What is so until now. */
  readonly before?: Pick<State, 'fulfillment' | 'consent' | 'email'>;
  /** Addresses that the shop knows of the buyer. */
  readonly known?: readonly Destination[];
  /** Where goods can be fetched. */
  readonly pickups?: readonly Pickup[];
  /** Ids of ways of shipping to a country, by what the platform calls them. */
  readonly optionId: (named: string, country: string | undefined) => string | undefined;
}

const mostCodes = 5;

/**
 * The whole of a checkout as it is to be: what is not in the request is not so any more. Of extensions that were not agreed on, nothing is taken.
 * @throws Refused for a way of sending that is not offered, or a destination that there is not
 */
export function wantedOf(
  visit: Visit,
  given: Pick<CheckoutGiven, 'buyer' | 'context' | 'discounts' | 'attribution'> &
    Partial<Pick<CheckoutGiven, 'fulfillment' | 'payment'>>,
  { before = {}, known = [], pickups = [], optionId }: Knowing,
): Wanted {
  const { active, version } = visit;
  const buyer = given.buyer === undefined || given.buyer === null ? undefined : buyerOf(given.buyer);
  const email = buyer === undefined ? undefined : emailOf(buyer);
  const decided = active.has(capabilities.consent) && given.buyer ? consentOf(given.buyer, version) : undefined;
  const kept = keptConsent(before, email);
  const consent = kept === undefined ? decided : { ...kept, ...decided };
  const codes = active.has(capabilities.discount) ? codesOf(given.discounts?.codes ?? []) : [];
  const fulfillment = active.has(capabilities.fulfillment)
    ? fulfillmentOf(given.fulfillment, before.fulfillment, { known, pickups })
    : undefined;
  const selected = fulfillment?.destinations.find(({ id }) => id === fulfillment.destinationId);
  const place = fulfillment?.pickup
    ? pickups.find(({ location }) => location.id === fulfillment.destinationId)?.location.address
    : undefined;
  const instruments = (given.payment?.instruments ?? []).flatMap(shownInstrument);
  const marked = attributionOf(given.attribution);
  const claims = given.context?.eligibility ?? [];
  return {
    said: {
      email: email ?? null,
      name: given.buyer ? nameOf(given.buyer) : null,
      phone: oneLine(buyer?.phone_number, 40),
      // Goods that are fetched go nowhere else.
      shippingAddress: place ?? (selected === undefined ? null : (addressOf(selected) ?? null)),
      billingAddress: billingOf(given.payment?.instruments ?? []),
      shippingOptionId: fulfillment?.optionId
        ? (optionId(fulfillment.optionId, selected?.address_country) ?? null)
        : null,
      marketingConsent: consent?.['marketing'] ?? false,
    },
    codes: codes.filter(isCode).slice(0, mostCodes),
    locale: localeOf(given.context?.language),
    state: {
      ...(email === undefined ? {} : { email: email.toLowerCase() }),
      ...(buyer === undefined ? {} : { buyer }),
      ...(consent === undefined ? {} : { consent }),
      ...(fulfillment === undefined ? {} : { fulfillment }),
      ...(codes.length === 0 ? {} : { codes }),
      ...(claims.length === 0 ? {} : { claims }),
      ...(instruments.length === 0 ? {} : { instruments }),
      ...(marked === undefined ? {} : { attribution: marked }),
    },
  };
}

/**
 * Saying nothing of it changes nothing of it, but nobody agrees to anything for somebody else: it ends where the address that it was said with goes, and
 * what was said without one is said with the first. @param email undefined: none any more
 */
export const keptConsent = (
  { email: before, consent }: Pick<State, 'email' | 'consent'>,
  email: string | undefined,
): State['consent'] => (before === undefined || before === email?.toLowerCase() ? consent : undefined);

/** Each once, however it is spelled. */
const codesOf = (codes: readonly string[]): string[] =>
  [...new Map(codes.toReversed().map((code) => [code.trim().toLowerCase(), code])).values()].toReversed();

/** Whether the shop could have such a code. */
const isCode = (code: string): boolean => code.trim() !== '' && code.length <= 64 && !/\p{Cc}/u.test(code);
export const isLookedAt = (codes: readonly string[], at: number): boolean =>
  isCode(codes[at] ?? '') && codes.slice(0, at).filter(isCode).length < mostCodes;

const localeOf = (language: string | null | undefined): string | undefined =>
  language !== undefined && language !== null && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/.test(language)
    ? language
    : undefined;

const attributionOf = (
  given: z.output<typeof attribution> | null | undefined,
): Readonly<Record<string, string>> | undefined =>
  given === undefined || given === null || Object.keys(given).length === 0 ? undefined : given;

/** What pays is never kept. */
function shownInstrument({ id, handler_id: handlerId, type, selected }: Instrument): ShownInstrument[] {
  if (!id || !handlerId || !type) return [];
  return [{ id, handler_id: handlerId, type, ...(typeof selected === 'boolean' ? { selected } : {}) }];
}

/** The one that was chosen, or the only one. */
export const chosen = (instruments: readonly Instrument[]): Instrument | undefined =>
  instruments.length === 1 ? instruments[0] : instruments.find(({ selected }) => selected === true);

export function billingOf(instruments: readonly Instrument[]): Said['billingAddress'] {
  const given = chosen(instruments)?.billing_address;
  const address = given === undefined || given === null ? undefined : addressOf(postalOf(given));
  return address === undefined || address.line1 === '' || address.city === '' ? null : address;
}

function fulfillmentOf(
  given: z.output<typeof fulfillmentGiven> | null | undefined,
  before: Fulfillment | undefined,
  { known, pickups }: { readonly known: readonly Destination[]; readonly pickups: readonly Pickup[] },
): Fulfillment | undefined {
  const methods = given?.methods ?? [];
  const [method] = methods;
  if (method === undefined) return undefined;
  requireOffered(methods, pickups);
  if (method.type === 'pickup') return pickupOf(method, before, pickups);
  const { list, called } = destinationsOf(method, before, known);
  const { selected_destination_id: asked } = method;
  const group = method.groups?.[0];
  const only = method.destinations?.length === 1 ? called.get(0) : undefined;
  const wanted = asked === undefined ? only : (asked ?? undefined);
  const destinationId = wanted === undefined ? null : (called.get(wanted) ?? wanted);
  if (destinationId !== null && !list.some(({ id }) => id === destinationId)) throw unknownDestination();
  return {
    methodId: method.id ?? (before?.pickup ? undefined : before?.methodId) ?? 'shipping',
    groupId: group?.id ?? before?.groupId ?? 'package',
    destinations: list,
    destinationId,
    optionId: group?.selected_option_id ?? null,
  };
}

/** Locations are the shop's own: one is selected by its id, and none is sent. @throws Refused */
function pickupOf(method: Method, before: Fulfillment | undefined, pickups: readonly Pickup[]): Fulfillment {
  const [group] = method.groups ?? [];
  const { selected_destination_id: asked = before?.pickup ? before.destinationId : null } = method;
  if (asked !== null && !pickups.some(({ location }) => location.id === asked)) throw unknownDestination();
  return {
    pickup: true,
    methodId: method.id ?? 'pickup',
    groupId: group?.id ?? before?.groupId ?? 'package',
    // What the platform sent before is there again when it ships.
    destinations: before?.destinations ?? [],
    destinationId: asked,
    optionId: group?.selected_option_id ?? null,
  };
}

const unknownDestination = (): Refused =>
  new Refused([
    problem(
      'destination_not_found',
      'There is no such destination: give the id of one of destinations.',
      '$.fulfillment.methods[0].selected_destination_id',
    ),
  ]);

/** @throws Refused */
function requireOffered(methods: readonly Method[], pickups: readonly Pickup[]): void {
  const faults = methods.flatMap(({ type }, at) => {
    if (at > 0)
      return [
        problem(
          'multiple_destinations_unsupported',
          'All goods of an order go to one address: send one method.',
          `$.fulfillment.methods[${at}]`,
        ),
      ];
    return type === undefined || type === null || type === 'shipping' || (type === 'pickup' && pickups.length > 0)
      ? []
      : [
          problem(
            'fulfillment_method_unavailable',
            pickups.length > 0 ? 'The shop offers shipping and pickup.' : 'The shop offers shipping alone.',
            `$.fulfillment.methods[${at}].type`,
          ),
        ];
  });
  if (faults.length > 0) throw new Refused(faults);
}

/** Those that were sent, or else those that were there, or else those that the shop knows. `called`: by the ids and places that the platform has for them. */
function destinationsOf(method: Method, before: Fulfillment | undefined, known: readonly Destination[]) {
  const list: Destination[] = [];
  const called = new Map<string | number, string>();
  const given = method.destinations?.map((one) => ({ id: one.id, postal: postalOf(one) }));
  const kept = before?.destinations.map(({ id, ...postal }) => ({ id, postal }));
  for (const [at, { id: own, postal }] of (given ?? kept ?? []).entries()) {
    const same = known.find((other) => isSame(other, postal));
    const id = same?.id ?? (own ? own : freeId(list, at));
    if (own) called.set(own, id);
    called.set(at, id);
    if (!list.some((other) => other.id === id)) list.push({ ...postal, id });
  }
  return { list: list.length === 0 ? known : list, called };
}

function freeId(list: readonly Destination[], at: number): string {
  for (let number = at + 1; ; number += 1) if (!list.some(({ id }) => id === `dest_${number}`)) return `dest_${number}`;
}
