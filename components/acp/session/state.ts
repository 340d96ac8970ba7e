import type { DoorState } from '@steward/checkout';
import type { AddressGiven, BuyerGiven } from '../shown/given.ts';

export interface Details {
  readonly name?: string;
  readonly phone_number?: string;
  readonly email?: string;
  readonly address?: AddressGiven;
}

/** What this door keeps with a cart or a checkout session. */
export interface State extends DoorState {
  readonly buyer?: BuyerGiven;
  readonly details?: Details;
  /** The way by which the buyer fetches the goods, where that is chosen. */
  readonly pickup?: string;
  /** As they were sent; the shop looks at the first ones. */
  readonly codes?: readonly string[];
  /** Which names the agent has for variants, by their ids, where these are not their ids. */
  readonly names?: Readonly<Record<string, string>>;
  /** What was asked for and is not sold. */
  readonly gone?: readonly string[];
  /** What the agent can do for an authentication. */
  readonly interventions?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Whether the agent can have its buyer authenticate. */
export const goesToBank = ({ interventions = [] }: State): boolean => interventions.includes('3ds');

export const stateOf = ({ doorState = {} }: { readonly doorState?: DoorState }): State => doorState as State;

/** Without members that say nothing. */
export const compact = <T extends object>(all: T): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;
