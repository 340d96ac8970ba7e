import { integer, settings } from '@steward/kernel';

export interface OrdersSettings {
  /** Letters of a tenant to buyers in a day. */
  readonly orderLettersPerDay: number;
}

const variables = {
  ORDER_LETTERS_PER_TENANT_PER_DAY: {
    default: '2000',
    says:
      'Letters about orders that a tenant sends to buyers in 24 hours. What is over is not sent: whoever places orders gives ' +
      "anybody's address.",
  },
} as const;

export const ordersSettings = settings(variables, (env): OrdersSettings => ({
  orderLettersPerDay: integer(env, 'ORDER_LETTERS_PER_TENANT_PER_DAY', 0, 10_000_000),
}));
