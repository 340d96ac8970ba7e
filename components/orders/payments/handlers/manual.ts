import type { PaymentHandler } from './handler.ts';

export const manualMethods = ['invoice', 'bank_transfer', 'cash_on_delivery'] as const;

/** Paid outside: the order is placed, and a member records that money arrived. */
export const manual: PaymentHandler = {
  name: 'manual',
  modes: ['live', 'test'],
  methods: manualMethods,
  local: true,
  refunds: 'merchant',
  authorize: async () => ({ kind: 'awaiting' }),
  lookUp: async () => ({ kind: 'awaiting' }),
};
