export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

export const statuses = ['open', 'closed', 'cancelled'] as const;
export const paymentStatuses = [
  'pending',
  'authorized',
  'partially_paid',
  'paid',
  'partially_refunded',
  'refunded',
  'voided',
] as const;
export const fulfilmentStatuses = [
  'unfulfilled',
  'partially_fulfilled',
  'fulfilled',
  'partially_returned',
  'returned',
] as const;

export const cancelReasons = ['customer', 'out_of_stock', 'payment', 'fraud', 'staff', 'other'] as const;

/** Lines of an order. */
export const mostLines = 500;
/** Of one line. */
export const mostQuantity = 1_000_000;

/** Where a carrier says that something is. */
export const deliveryStatuses = [
  'announced',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'returning',
  'failed',
] as const;
