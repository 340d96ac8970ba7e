import type { Percentage } from '@steward/accounting';
import type { Mode } from '../words.ts';

export interface PostalAddress {
  readonly name: string | null;
  readonly company: string | null;
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  readonly region: string | null;
  readonly postcode: string | null;
  /** ISO 3166. */
  readonly country: string;
  readonly phone: string | null;
}

export const treatments = ['taxed', 'none', 'exempt', 'reverse_charge'] as const;

/** What tax something carries, as it was calculated. */
export interface PlacedTax {
  readonly treatment: (typeof treatments)[number];
  /** A tax of the books; null where none is due. */
  readonly taxId: string | null;
  /** Times 10^4. */
  readonly percentage: Percentage;
}

/** What is paid for something, in minor units: `total` = `net` + `tax`, and `gross` less discounts is the one or the other. */
interface Paid {
  readonly gross: bigint;
  readonly discounts: readonly { readonly discountId: string; readonly amount: bigint }[];
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  readonly taxed: PlacedTax;
}

/** A picture, where it is served. */
export interface PlacedImage {
  readonly url: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
}

export interface PlacedLine extends Paid {
  /** A UUID. */
  readonly id: string;
  readonly productId: string;
  readonly variantId: string;
  readonly title: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly image: PlacedImage | null;
  readonly taxCategory: string;
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  readonly quantity: number;
  readonly unitPrice: bigint;
}

export interface PlacedShipping extends Paid {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
  /** Of a pickup. */
  readonly locationId: string | null;
}

/** A whole order as it was agreed: everything is a snapshot, with amounts in minor units. Its caller has checked it. */
export interface Placing {
  /** One order comes of it. Its reservation of stock becomes the order's. */
  readonly checkoutId: string;
  readonly mode: Mode;
  readonly brandId: string;
  readonly siteId: string | null;
  readonly keyId: string | null;
  /** The shop at a marketplace where it was placed; left out: here. */
  readonly channelId?: string | undefined;
  /** What that shop calls it, as people read it there: 1 to 100 characters. */
  readonly externalName?: string | undefined;
  /** When it was placed there, in milliseconds; left out: now. */
  readonly placedAt?: number | undefined;
  readonly locale: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Whether prices contain tax. */
  readonly pricing: 'inclusive' | 'exclusive';
  readonly buyer: {
    /** Null: the buyer was erased while it was paid. */
    readonly email: string | null;
    readonly name: string | null;
    readonly phone: string | null;
    readonly vatNumber: string | null;
    /** Agreed to be written to. */
    readonly marketing: boolean;
  };
  readonly shippingAddress: PostalAddress | null;
  readonly billingAddress: PostalAddress | null;
  /** The buyer's. */
  readonly note: string | null;
  /** The buyer was erased while it was paid: why, and what the addresses said that taxes go by. */
  readonly erased?: { readonly reason: string; readonly country: string | null };
  /** In the order in which they are shown; one at least. */
  readonly lines: readonly PlacedLine[];
  readonly shipping: PlacedShipping | null;
  readonly discounts: readonly {
    readonly discountId: string;
    readonly name: string;
    readonly code: string | null;
    readonly amount: bigint;
  }[];
  /** Gross of the lines. */
  readonly subtotal: bigint;
  /** What all discounts take off, of shipping too. */
  readonly discount: bigint;
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  readonly taxes: readonly (PlacedTax & { readonly net: bigint; readonly tax: bigint })[];
}
