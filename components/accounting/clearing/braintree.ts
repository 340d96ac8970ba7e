import type { ClearingProvider } from './provider.ts';
import { nothingSaid } from './said.ts';

/**
 * Braintree tells of no card payment when it is made, and of none of its fees: what it tells is taken and kept, and moves nothing here. Its money
 * is booked by bank lines, or by files.
 */
export const braintreeClearing: ClearingProvider = {
  name: 'braintree',
  title: 'Braintree',
  topics: [],
  credentials: {},
  say: async () => nothingSaid,
};
