import type { TenantContext, TenantScope, TenantTransaction } from '@steward/sql';
import type { Addressing } from './letters/addressing.ts';
import type { Order } from './orders/order.ts';
import type { PlacedImage, PlacedTax } from './orders/placing.ts';

/** Who bought, as it is told to whoever keeps contacts. */
export interface Buyer {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  /** Of a phone number that does not name its own; ISO 3166. */
  readonly defaultCountry?: string | undefined;
  /** Agreed to be sent news. */
  readonly marketingConsent?: boolean | undefined;
  /** Bought with a test key. */
  readonly test: boolean;
  /** Becomes an entry on the contact's timeline. */
  readonly source: { readonly kind: string; readonly refs: Readonly<Record<string, string>> };
}

/** What placing an order needs of others. */
export interface PlacingPorts {
  /**
   * The contact that somebody is, made where there is none; in the transaction of the order. Contacts are the CRM's.
   * @throws Problem `invalid_request` (400) with a pointer for each value that it does not take, before anything is written
   */
  readonly contactOf: (tx: TenantTransaction, buyer: Buyer) => Promise<string>;
  /** The same, once what it goes by is read: beside something else of the transaction. */
  readonly contactsIn?: ((tx: TenantTransaction) => Promise<PlacingPorts['contactOf']>) | undefined;
}

/** A document of the books as the buyer of an order may have it. */
export interface Paper {
  readonly id: string;
  readonly kind: 'invoice' | 'credit_note';
  /** Null: of a test, whose invoice is a preview. */
  readonly number: string | null;
}

/** Papers of an order. The books are bookkeeping's. */
export interface PaperPorts {
  readonly papersOf: (context: TenantContext, order: Order) => Promise<readonly Paper[]>;
  /** Whether money may have come for an order, or is not owed any more, as orders do not see it: in the books, at the bank, or in what waits for people. */
  readonly mayBePaid: (context: TenantContext, order: Order) => Promise<boolean>;
  /** One of them as PDF; undefined for any other id. `left` is aborted once nobody waits for it. */
  readonly drawPaper: (
    context: TenantContext,
    order: Order,
    id: string,
    left: AbortSignal,
  ) => Promise<{ readonly name: string; readonly bytes: Buffer } | undefined>;
}

/** What an edit must know of the shop as it is now. */
export interface EditQuestion {
  readonly brandId: string;
  readonly currency: string;
  /** Where its goods go. */
  readonly address: {
    readonly country: string;
    readonly region?: string | null | undefined;
    readonly postcode?: string | null | undefined;
  } | null;
  readonly vatNumber: string | null;
  /** Of different variants. */
  readonly added: readonly { readonly variantId: string; readonly quantity: number }[];
  /** What is taxed anew, by ids of lines. */
  readonly taxed: readonly { readonly id: string; readonly category: string }[];
  /** The option whose price is taxed anew; null: none is. */
  readonly shippingOptionId: string | null;
  /** Where pictures are served. */
  readonly mediaAt: string;
}

/** One that the brand sells at this moment. */
export interface EditOffer {
  readonly productId: string;
  readonly title: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly image: PlacedImage | null;
  readonly taxCategory: string;
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** Minor units for one, of so many as were asked about. */
  readonly unitPrice: bigint;
  readonly taxed: PlacedTax;
}

export interface EditAnswer {
  /** Whether prices in the currency contain tax now. */
  readonly pricing: 'inclusive' | 'exclusive';
  /** Of the variants that were asked about, those that the brand sells, by id. */
  readonly offers: ReadonlyMap<string, EditOffer>;
  readonly taxes: ReadonlyMap<string, PlacedTax>;
  readonly shippingTax: PlacedTax | undefined;
}

/** What verbs of the settings of letters are given. */
export interface LetterPorts {
  /** What a brand is called, also once it is archived. Brands are the portal's. */
  readonly brandName: (scope: Pick<TenantScope, 'context' | 'read'>, brandId: string) => Promise<string | undefined>;
  readonly addressing: Addressing;
}

/** What verbs are given beside their tenant. */
export interface OrdersPorts extends LetterPorts {
  /** Prices and taxes of the shop for an edit. They are the checkout's. */
  readonly quoteEdit: (tx: TenantTransaction, question: EditQuestion) => Promise<EditAnswer>;
  /** Puts something on the timeline of a contact, which is the CRM's. @throws Problem `not_found` (404) where there is none */
  readonly noteOnTimeline: (
    tx: TenantTransaction,
    note: { readonly contactId: string; readonly kind: string; readonly refs: Readonly<Record<string, string>> },
  ) => Promise<unknown>;
  /** Where pictures are served. */
  readonly mediaAt: string;
  /** Gives back what a checkout used of discounts, once. Discounts are the checkout's. */
  readonly releaseDiscounts: (tx: TenantTransaction, checkoutId: string) => Promise<void>;
  /** Which of some contacts there are, by id. Contacts are the CRM's. */
  readonly contactsById: (
    context: TenantContext,
    contactIds: readonly string[],
  ) => Promise<ReadonlyMap<string, unknown>>;
}
