import { dictionary } from '@steward/kernel';
import { deliveryStatuses } from '../words.ts';

type Status = (typeof deliveryStatuses)[number];

/** What a provider says of a parcel. */
export interface Tracker {
  readonly id: string;
  readonly number: string;
  readonly status: Status;
  /** When it became so: RFC 3339. */
  readonly at: string;
}

/** EasyPost's words. Those that are left out say nothing of where it is: `unknown`, `cancelled`, `error`. */
const statuses = dictionary<Status>({
  pre_transit: 'announced',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  available_for_pickup: 'ready_for_pickup',
  delivered: 'delivered',
  return_to_sender: 'returning',
  failure: 'failed',
});

const text = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= most ? value : undefined;

/** A tracker as its provider answers it, or sends it; undefined where it says nothing of a parcel. */
export function trackerOf(value: unknown): Tracker | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, tracking_code: code, status, updated_at: updated } = value as Readonly<Record<string, unknown>>;
  const [own, number, said, at] = [text(id, 100), text(code, 100), text(status, 40), text(updated, 40)];
  const known = said === undefined ? undefined : statuses[said];
  const moment =
    at === undefined || !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(at) ? Number.NaN : Date.parse(at);
  if (
    own === undefined ||
    !/^[A-Za-z0-9_]+$/.test(own) ||
    number === undefined ||
    known === undefined ||
    Number.isNaN(moment)
  )
    return undefined;
  return { id: own, number, status: known, at: new Date(moment).toISOString() };
}
