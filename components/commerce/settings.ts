import { integer, oneOf, settings, text } from '@steward/kernel';

export interface CommerceSettings {
  readonly storefront: {
    readonly perAddressPerMinute: number;
    readonly perKeyPerMinute: number;
    /** Whether visitors see the id of their submission's contact. */
    readonly tellsContact: boolean;
  };
}

const variables = {
  STOREFRONT_PER_IP_PER_MINUTE: {
    default: '100',
    says: 'Requests per address and minute, over all storefront routes. IPv6 addresses count by /64.',
  },
  STOREFRONT_PER_KEY_PER_MINUTE: {
    default: '100',
    says: 'Requests per SDK key and minute, over all storefront routes.',
  },
  STOREFRONT_CONTACT_ID: {
    default: 'shown',
    says:
      '`hidden` leaves `contactId` out of answers to visitors. With it, anybody could compare two submissions and learn ' +
      'whether an address or a phone is known. Use it on public hosts.',
  },
} as const;

export const commerceSettings = settings(variables, (env): CommerceSettings => ({
  storefront: {
    perAddressPerMinute: integer(env, 'STOREFRONT_PER_IP_PER_MINUTE', 1, 1_000_000_000),
    perKeyPerMinute: integer(env, 'STOREFRONT_PER_KEY_PER_MINUTE', 1, 1_000_000_000),
    tellsContact: oneOf('STOREFRONT_CONTACT_ID', text(env, 'STOREFRONT_CONTACT_ID'), ['shown', 'hidden']) === 'shown',
  },
}));
