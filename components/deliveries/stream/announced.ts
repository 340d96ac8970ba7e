import type { CallerRole } from '@steward/access';
import type { BusEvent } from '@steward/bus';
import type { PrincipalRef } from '@steward/kernel';

/** Whether a member may see an event, by what it says. */
export type AnnouncedTo = (
  data: BusEvent['data'],
  viewer: { readonly role: CallerRole; readonly subject: PrincipalRef },
) => boolean;

/** The types of events that there are, and who may see them; undefined: whoever is a member. */
export type Announced = ReadonlyMap<string, AnnouncedTo | undefined>;
