export const kinds = [
  'invoice',
  'payment',
  'refund',
  'cancellation',
  'cost',
  'edit_credit',
  'edit_charge',
  'allocation',
] as const;
/** allocation: money that people recorded in the books, of which the order is told. edit_credit: what an edit took off an order that was invoiced before. edit_charge: what it added. */
export type Kind = (typeof kinds)[number];

/** due: not tried yet. waiting: tried, and `reason` says why not. drafted: people issue it. left_out: nothing is to be posted. */
export const states = ['due', 'waiting', 'drafted', 'posted', 'left_out'] as const;
export type State = (typeof states)[number];
