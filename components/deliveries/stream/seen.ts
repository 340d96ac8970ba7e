import {
  isBound,
  personalScopes,
  pillars,
  refusalOf,
  type Caller,
  type AccessProfile,
  type Pillar,
} from '@steward/access';
import type { BusEvent } from '@steward/bus';
import type { Announced } from '../announced.ts';
import { listEventTypes } from '../endpoints/types.ts';

/** Which part of the product announces a type; what serves all of them is the portal's. */
const pillarOf = (type: string): Pillar => {
  const [first = ''] = type.split('.');
  return pillars.find((pillar) => pillar === first) ?? 'portal';
};

/**
 * Whether a caller may see an event: agents of pillars that their token and their grant leave them, people all but what their
 * token does not name; and nobody what is announced to others.
 */
export function seenBy(
  caller: Caller,
  profile: AccessProfile | undefined,
  announced: Announced,
): (event: Pick<BusEvent, 'type' | 'data'>) => boolean {
  if (caller.service) return () => true;
  const scopes = isBound(caller) ? caller.scopes : personalScopes(caller);
  const viewer = {
    surface: 'public',
    scopes,
    profile: isBound(caller) ? profile : profile && { ...profile, grant: undefined },
  } as const;
  const open = new Set(pillars.filter((pillar) => refusalOf({ ...listEventTypes, pillar }, viewer) === undefined));
  return ({ type, data }) => {
    if (!open.has(pillarOf(type)) || profile === undefined) return false;
    return announced.get(type)?.(data, { role: profile.role, subject: caller.subject }) ?? true;
  };
}
