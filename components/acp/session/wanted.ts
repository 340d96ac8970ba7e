import type { Opening, Pickup } from '@steward/checkout';
import { readEmail } from '@steward/crm';
import { fail } from '@steward/kernel';
import type { BuyerGiven, CreateGiven, FulfillmentDetails, UpdateGiven } from '../shown/given.ts';
import { addressOf, oneLine } from './address.ts';
import { compact, type Details, type State } from './state.ts';

type Said = NonNullable<Opening['said']>;
type Given = Omit<UpdateGiven, 'line_items' | 'items'> & Pick<Partial<CreateGiven>, 'capabilities' | 'metadata'>;

/** Everything of a request but its items: as the shop takes it, and as this door keeps it. */
export interface Wanted {
  readonly said: Said;
  /** Undefined: they stay. */
  readonly codes: string[] | undefined;
  readonly state: State;
}

const mostCodes = 5;
/** Of a session that needs no shipping. */
export const digitalOption = 'digital';

/** What is so after a request: a member that is left out stays, and null clears. @throws Problem `invalid_request` (400) */
export function wantedOf(before: State, given: Given, pickups: readonly Pickup[] = []): Wanted {
  const [group] = given.fulfillment_groups ?? [];
  const details = detailsAfter(before.details, given.fulfillment_details, group?.fulfillment_details);
  const buyer = given.buyer === undefined ? before.buyer : (given.buyer ?? undefined);
  const sent = given.discounts?.codes ?? (given.discounts === null ? [] : undefined) ?? given.coupons;
  const codes = given.coupons === null && sent === null ? [] : (sent ?? undefined);
  const optionId = optionOf(given.selected_fulfillment_options);
  const { address } = details ?? {};
  const pickup = pickups.find(({ id }) => id === (optionId === undefined ? before.pickup : optionId));
  return {
    said: {
      ...personOf(buyer, details),
      // Goods that are fetched go nowhere else, wherever the buyer is.
      shippingAddress:
        pickup?.location.address ?? (address === undefined ? null : addressOf(address, details?.phone_number)),
      ...(optionId === undefined ? {} : { shippingOptionId: optionId }),
      ...(given.order_notes === undefined ? {} : { note: oneLine(given.order_notes, 2_000) }),
    },
    codes: codes === undefined ? undefined : codesOf(codes).filter(isCode).slice(0, mostCodes),
    state: compact({
      ...before,
      buyer,
      details,
      pickup: pickup?.id,
      codes: codes === undefined ? before.codes : codesOf(codes),
      interventions: given.capabilities?.interventions?.supported ?? before.interventions,
      metadata: given.metadata ?? before.metadata,
    }) as State,
  };
}

/** Whom the shop takes the buyer for: what is said of the buyer counts more than who receives it. */
export function personOf(
  buyer: BuyerGiven | undefined,
  details: Details | undefined,
): Pick<Said, 'email' | 'name' | 'phone'> {
  const called = [buyer?.first_name, buyer?.last_name].filter((part) => part !== undefined).join(' ');
  return {
    email: emailOf(buyer?.email ?? details?.email) ?? null,
    name: oneLine(called) ?? oneLine(buyer?.full_name) ?? oneLine(details?.name),
    phone: oneLine(buyer?.phone_number ?? details?.phone_number, 40),
  };
}

export const emailOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : readEmail(text.trim())?.address;

function detailsAfter(
  before: Details | undefined,
  given: FulfillmentDetails | null | undefined,
  ofGroup: FulfillmentDetails | undefined,
): Details | undefined {
  if (given === null) return undefined;
  const more = given ?? ofGroup;
  if (more === undefined) return before;
  const after = { ...before, ...more };
  const kept = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null && value !== undefined));
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Null: none; undefined: the one that is chosen stays. All goods of an order go one way. */
function optionOf(given: UpdateGiven['selected_fulfillment_options']): string | null | undefined {
  if (given === undefined) return undefined;
  const ids = [...new Set((given ?? []).map(({ option_id: one }) => one).filter((one) => one !== digitalOption))];
  if (ids.length > 1) {
    const pointer = '/selected_fulfillment_options/1/option_id';
    const detail = 'All goods of an order go one way: select one option.';
    throw fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'unsupported', detail }] });
  }
  return ids[0] ?? null;
}

/** Each once, however it is spelled. */
const codesOf = (codes: readonly string[]): string[] =>
  [...new Map(codes.toReversed().map((code) => [code.trim().toLowerCase(), code])).values()].toReversed();

/** Whether the shop could have such a code. */
const isCode = (code: string): boolean => code.trim() !== '' && code.length <= 64 && !/\p{Cc}/u.test(code);
/** Those that the shop does not look at. */
export const codesLeft = (codes: readonly string[]): number[] =>
  codes.flatMap((code, at) => (isCode(code) && codes.slice(0, at).filter(isCode).length < mostCodes ? [] : [at]));
