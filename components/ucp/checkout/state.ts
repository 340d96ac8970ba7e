import type { BuyerCheckout, DoorState } from '@steward/checkout';
import type { Buyer } from './buyer.ts';
import type { Destination } from './destination.ts';
import type { LeftOut } from './items.ts';

/** A payment that a platform has chosen, as it may be shown: without what pays. */
export interface ShownInstrument {
  readonly id: string;
  readonly handler_id: string;
  readonly type: string;
  readonly selected?: boolean;
}

/** How goods are to be sent, as the platform put it. */
export interface Fulfillment {
  /** The goods are fetched at the location that `destinationId` names. */
  readonly pickup?: true;
  readonly methodId: string;
  readonly groupId: string;
  readonly destinations: readonly Destination[];
  readonly destinationId: string | null;
  readonly optionId: string | null;
}

/** What this door keeps with a cart or a checkout. */
export interface State extends DoorState {
  /** In lower case, where it is one: whose it is. */
  readonly email?: string;
  readonly buyer?: Buyer;
  /** By the last word of the purpose, such as `marketing`. */
  readonly consent?: Readonly<Record<string, boolean>>;
  readonly fulfillment?: Fulfillment;
  /** As they were sent; the shop looks at the first ones. */
  readonly codes?: readonly string[];
  /** What the buyer is said to be eligible for. */
  readonly claims?: readonly string[];
  readonly instruments?: readonly ShownInstrument[];
  readonly attribution?: Readonly<Record<string, string>>;
  /** What the official suite has said of its order. */
  readonly simulated?: { readonly events: readonly unknown[]; readonly adjustments: readonly unknown[] };
  /** Which names the platform has for variants, by their ids, where these are not their ids. */
  readonly names?: Readonly<Record<string, string>>;
  readonly left?: readonly LeftOut[];
}

export const stateOf = ({ doorState = {} }: { readonly doorState?: DoorState }): State => doorState as State;

type Option = BuyerCheckout['shippingOptions'][number];

/** The ways that fit what the platform chose: of fetching goods at one location, or of shipping them. */
export function optionsOf({
  shippingOptions,
  doorState,
}: Pick<BuyerCheckout, 'shippingOptions' | 'doorState'>): readonly Option[] {
  const { fulfillment } = stateOf(doorState === undefined ? {} : { doorState });
  return shippingOptions.filter(({ kind, locationId }) =>
    fulfillment?.pickup ? kind === 'pickup' && locationId === fulfillment.destinationId : kind !== 'pickup',
  );
}
