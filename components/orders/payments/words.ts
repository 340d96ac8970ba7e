export const captureTimes = ['placement', 'fulfilment'] as const;

/** `awaiting`: money is to arrive by other means. What is declined or voided takes no money any more. */
export const paymentStates = [
  'started',
  'requires_action',
  'awaiting',
  'authorized',
  'captured',
  'declined',
  'voided',
] as const;
