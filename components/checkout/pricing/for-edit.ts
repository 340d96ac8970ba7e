import type { Pricing } from '@steward/accounting';
import { type Offer, offered, offerOf } from '@steward/catalogue';
import { statement, type TenantTransaction } from '@steward/sql';
import type { Address } from '../places/address.ts';
import { zoneEngine } from '../tax/engine.ts';
import { type LineTax, pricedFor } from '../totals/line.ts';

/** What an edit of an order must know of the shop as it is now. */
export interface EditQuestion {
  readonly brandId: string;
  readonly currency: string;
  /** Where its goods go. */
  readonly address: Address | null;
  readonly vatNumber: string | null;
  /** Of different variants. */
  readonly added: readonly { readonly variantId: string; readonly quantity: number }[];
  /** What is taxed anew, by ids of the caller's. */
  readonly taxed: readonly { readonly id: string; readonly category: string }[];
  /** The option whose price is taxed anew; null: none is. */
  readonly shippingOptionId: string | null;
  /** Where pictures are served. */
  readonly mediaAt: string;
}

export interface EditAnswer {
  /** Whether prices in the currency contain tax now. */
  readonly pricing: Pricing;
  /** Those of the added variants that the brand sells, by id: what one costs, of so many. */
  readonly offers: ReadonlyMap<string, Offer & { readonly unitPrice: bigint; readonly taxed: LineTax }>;
  readonly taxes: ReadonlyMap<string, LineTax>;
  readonly shippingTax: LineTax | undefined;
}

const untaxed: LineTax = { treatment: 'none', taxId: null, percentage: 0n };
const shipping = 'shipping';

/** What is added to an order costs what it costs a buyer at this moment, and tax is that of its address. One round trip. */
export async function quoteEdit(
  tx: TenantTransaction,
  { brandId, currency, address, vatNumber, added, taxed, shippingOptionId, mediaAt }: EditQuestion,
): Promise<EditAnswer> {
  const { tenant } = tx.context;
  const [offers = [], options = [], ...zones] = await tx.queryAll([
    offered(
      tenant,
      brandId,
      added.map(({ variantId }) => variantId),
      currency,
    ),
    statement(
      'select tax_category from checkout.shipping_option where tenant_id = $1::uuid and shipping_option_id = $2::uuid',
      [tenant, shippingOptionId],
    ),
    ...zoneEngine.reads(tenant, address),
  ]);
  const sold = offers.map((row) => offerOf(row, mediaAt));
  const { pricing, taxes } = await zoneEngine.taxesBy(zones, {
    currency,
    lines: [
      ...taxed,
      ...sold.map(({ variantId, taxCategory }) => ({ id: variantId, category: taxCategory })),
      // Of an option that is not there any more: as most are taxed.
      { id: shipping, category: String(options[0]?.['tax_category'] ?? 'standard') },
    ],
    address,
    buyer: { vatNumber },
  });
  const wanted = new Map(added.map(({ variantId, quantity }) => [variantId, quantity]));
  return {
    pricing,
    taxes,
    shippingTax: shippingOptionId === null ? undefined : taxes.get(shipping),
    offers: new Map(
      sold.flatMap((offer) => {
        const quantity = wanted.get(offer.variantId) ?? 0;
        const price = offer.prices.findLast(({ minQuantity }) => minQuantity <= quantity);
        const tax = taxes.get(offer.variantId) ?? untaxed;
        return price === undefined
          ? []
          : [[offer.variantId, { ...offer, unitPrice: pricedFor(BigInt(price.amount), tax, pricing), taxed: tax }]];
      }),
    ),
  };
}
