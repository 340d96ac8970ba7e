import {
  callerOf,
  isBoundUnder,
  judgedBy,
  personalScopes,
  pillars,
  refusalOf,
  type Caller,
  type AccessProfile,
  type Pillar,
} from '@steward/access';
import type { BusEvent } from '@steward/bus';
import type { TenantContext } from '@steward/sql';
import type { Announced } from './announced.ts';
import { listEventTypes } from './endpoints/types.ts';
import type { DeliveriesPorts } from './ports.ts';

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
  const bound = isBoundUnder(caller, profile);
  const scopes = bound ? caller.scopes : personalScopes(caller);
  const viewer = {
    surface: 'public',
    scopes,
    profile: bound ? profile : profile && { ...profile, grant: undefined },
  } as const;
  const open = new Set(pillars.filter((pillar) => refusalOf({ ...listEventTypes, pillar }, viewer) === undefined));
  return (event) => {
    if (!open.has(pillarOf(event.type)) || profile === undefined) return false;
    return announced.get(event.type)?.(event.data, { role: profile.role, subject: caller.subject }) ?? true;
  };
}

/** A delivery, with what says of its event who may see it. */
export interface Delivered {
  readonly type: string;
  /** What is sent, to the byte. */
  readonly body: string;
}

/**
 * Reads with the rule of which deliveries the caller of a context may see: those of the events that they may see. Reads again where
 * access has changed meanwhile, for then the rule has too.
 */
export async function asSeen<T>(
  context: TenantContext,
  { accessProfile, announced }: Pick<DeliveriesPorts, 'accessProfile' | 'announced'>,
  read: (sees: (delivered: Delivered) => boolean) => Promise<T>,
): Promise<T> {
  const caller = callerOf(context);
  // The platform's own work.
  if (caller === undefined) return read(() => true);
  for (;;) {
    const held = await accessProfile(caller, context.tenant);
    judgedBy(context, held);
    const under = context.decision?.under;
    const seen = seenBy(caller, held, announced);
    const answer = await read(({ type, body }) =>
      seen({
        type,
        // Read only where it decides.
        get data() {
          return (JSON.parse(body) as Pick<BusEvent, 'data'>).data;
        },
      }),
    );
    if (context.decision?.under === under) return answer;
  }
}
