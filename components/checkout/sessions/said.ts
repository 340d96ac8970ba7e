import type { PostalAddress } from '@steward/orders';
import type { KeptLine } from '../pricing/line.ts';

/** What a buyer says. */
export interface Said {
  readonly locale: string | null;
  readonly lines: readonly KeptLine[];
  readonly codes: readonly string[];
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
  readonly shippingAddress: PostalAddress | null;
  readonly billingAddress: PostalAddress | null;
  readonly shippingOptionId: string | null;
  readonly vatNumber: string | null;
  readonly note: string | null;
  readonly marketingConsent: boolean;
}

/** What a checkout has of its buyer before they say anything. */
export const nothingSaid: Omit<Said, 'locale' | 'lines' | 'codes'> = {
  email: null,
  name: null,
  phone: null,
  shippingAddress: null,
  billingAddress: null,
  shippingOptionId: null,
  vatNumber: null,
  note: null,
  marketingConsent: false,
};
