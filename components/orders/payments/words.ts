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

/** `received`: money came in by other means than a provider. `reversed`: the books took that back. `void`: it was given up before it came. */
export const movementKinds = ['capture', 'received', 'reversed', 'void', 'refund'] as const;
