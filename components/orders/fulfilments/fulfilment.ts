import { z } from 'zod';
import { deliveryStatuses } from '../words.ts';

/** Pieces that left together. */
export const fulfilment = z.object({
  id: z.uuid(),
  /** Where they left; null: where they were reserved. */
  locationId: z.uuid().nullable(),
  /** The caller's own name for it. */
  reference: z.string().nullable(),
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  trackingUrl: z.string().nullable(),
  /** Where the carrier says that it is, and since when; null: it has not said anything. */
  deliveryStatus: z.enum(deliveryStatuses).nullable(),
  deliveryAt: z.string().meta({ format: 'date-time' }).nullable(),
  lines: z.array(z.object({ lineId: z.uuid(), quantity: z.int() })),
  /** Counts changes of the tracking. */
  version: z.int(),
  createdAt: z.string().meta({ format: 'date-time' }),
  updatedAt: z.string().meta({ format: 'date-time' }),
});
export type Fulfilment = z.output<typeof fulfilment>;

/** As the database puts it together. */
export type StoredFulfilment = Fulfilment;

/** Of the order `o`. */
export const fulfilmentsOf = `(select json_agg(json_build_object('id', f.fulfilment_id, 'locationId', f.location_id, 'reference', f.reference,
    'carrier', f.carrier, 'trackingNumber', f.tracking_number, 'trackingUrl', f.tracking_url, 'deliveryStatus', f.delivery_status, 'deliveryAt', f.delivery_at, 'version', f.version, 'createdAt', f.created_at,
    'updatedAt', f.updated_at, 'lines', (
      select json_agg(json_build_object('lineId', l.line_id, 'quantity', l.quantity) order by l.line_id)
      from orders.fulfilment_line l where l.tenant_id = f.tenant_id and l.fulfilment_id = f.fulfilment_id)) order by f.fulfilment_id)
  from orders.fulfilment f where f.tenant_id = o.tenant_id and f.order_id = o.order_id)`;

export const presentFulfilment = (stored: StoredFulfilment): Fulfilment => ({
  ...stored,
  deliveryAt: stored.deliveryAt === null ? null : new Date(stored.deliveryAt).toISOString(),
  createdAt: new Date(stored.createdAt).toISOString(),
  updatedAt: new Date(stored.updatedAt).toISOString(),
});
