import type { AuditEvents } from '../../data/activity.ts';
import { readApi, type Paged, type Read } from '../../data/queries.ts';
import type { Role } from '../../data/session.ts';
import { toDecide } from '../../data/to-decide.ts';
import type { Counted } from '../agents/agent.ts';
import { sinceOf } from './since.ts';
import { standing } from './standing.ts';

export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly failed: number;
  readonly lastError: string | null;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly status: 'active' | 'paused' | 'disabled';
}

interface Chain {
  readonly head: { readonly sequence: number; readonly received_at: string } | null;
  readonly sealed_through: string | null;
}

export const connected = readApi<Paged<Connection>>('portal', '/api/connections', { limit: 50 });
export const announced = readApi<Paged<Webhook>>('portal', '/api/webhooks', { limit: 50 });
/** Who is shown webhooks. */
export const builders: readonly Role[] = ['owner', 'admin', 'developer'];
/** What of orders waits for a person before it is in the books. */
export const unbooked = readApi<Paged<{ readonly id: string }>>('commerce', '/api/order-postings', {
  state: 'waiting',
  limit: 50,
});
export const counted = readApi<Counted>('accounting', '/api/audit/activity', { days: 7 });
export const latest = (since: string | undefined): Read<AuditEvents> =>
  readApi('accounting', '/api/audit/events', { limit: 40, received_from: since });
export const chain = readApi<Chain>('accounting', '/api/audit/chain');

/** All that this page reads. */
export const readsOf = (tenant: string, role: Role, person: string): readonly Read[] => [
  toDecide,
  standing(),
  connected,
  unbooked,
  ...(builders.includes(role) ? [announced] : []),
  counted,
  latest(sinceOf(tenant, person)),
  chain,
];
