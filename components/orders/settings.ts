import { integer, type ProcessConfig, settings } from '@steward/kernel';
import { cardVariables, type CardSettings, readCards } from './payments/handlers/card/settings.ts';
import { readTracking, type TrackingSettings, trackingVariables } from './tracking/settings.ts';

export interface OrdersSettings {
  /** Letters of a tenant to buyers in a day. */
  readonly orderLettersPerDay: number;
  readonly cards: CardSettings;
  /** Undefined: nobody takes what carriers say. */
  readonly tracking: TrackingSettings | undefined;
}

const variables = {
  ORDER_LETTERS_PER_TENANT_PER_DAY: {
    default: '2000',
    says:
      'Letters about orders that a tenant sends to buyers in 24 hours. What is over is not sent: whoever places orders gives ' +
      "anybody's address.",
  },
  ...cardVariables,
  ...trackingVariables,
} as const;

export const ordersSettings = settings(
  variables,
  (env, { production }: Pick<ProcessConfig, 'production'>): OrdersSettings => ({
    orderLettersPerDay: integer(env, 'ORDER_LETTERS_PER_TENANT_PER_DAY', 0, 10_000_000),
    cards: readCards(env, production),
    tracking: readTracking(env, production),
  }),
);
