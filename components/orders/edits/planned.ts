import { type FieldError, formatAmount, newId } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { ordersFail } from '../errors.ts';
import { invalidLines } from '../faults.ts';
import { invalidAt } from '../money.ts';
import type { Order } from '../orders/order.ts';
import type { PostalAddress } from '../orders/placing.ts';
import type { OrdersPorts } from '../ports.ts';
import type { EditGiven } from './given.ts';
import { type Added, type Bought, nextVersion, OtherPrice } from './plan.ts';
import type { Version } from './version.ts';
import { mostAmount } from './words.ts';

/** What the next version follows from. */
interface Planning {
  readonly held: Order;
  readonly asked: EditGiven;
  readonly before: Version;
  readonly bought: ReadonlyMap<string, Bought>;
  readonly lowered: ReadonlyMap<string, number>;
  readonly address: PostalAddress | undefined;
  readonly ports: Pick<OrdersPorts, 'quoteEdit' | 'mediaAt'>;
}

/** @throws Problem `invalid_request` (400) for variants that are not sold, `other_price` (409) */
export async function planned(
  tx: TenantTransaction,
  { held, asked, before, bought, lowered, address, ports }: Planning,
): Promise<Version> {
  const { add = [] } = asked;
  const pricing = held.pricesIncludeTax ? 'inclusive' : 'exclusive';
  const now = held.shippingAddress ?? held.billingAddress;
  const to = address ?? now;
  // By what zones look at: a house further on is taxed as it was.
  const moved =
    address !== undefined &&
    (now === null || (['country', 'region', 'postcode'] as const).some((part) => address[part] !== now[part]));
  if (add.length === 0 && !moved)
    return nextVersion(before, { pricing, quantities: lowered, bought, added: [], taxes: undefined });
  requireOnce(add);
  const quote = await ports.quoteEdit(tx, {
    brandId: held.brandId,
    currency: held.currency,
    address: to ?? (held.country === null ? null : { country: held.country }),
    vatNumber: held.vatNumber,
    added: add.map(({ variantId, quantity }) => ({ variantId: variantId.toLowerCase(), quantity })),
    taxed: moved ? before.lines.map(({ id, taxCategory }) => ({ id, category: taxCategory })) : [],
    shippingOptionId: moved ? (before.shipping?.optionId ?? null) : null,
    mediaAt: ports.mediaAt,
  });
  if (quote.pricing !== pricing)
    throw ordersFail(
      'other_price',
      `Prices in ${held.currency} are ${quote.pricing === 'inclusive' ? 'with' : 'without'} tax now, and those of the order are not: ` +
        'place another order instead.',
    );
  const unsold: FieldError[] = [];
  const added = add.flatMap(({ variantId, quantity }, index): Added[] => {
    const offer = quote.offers.get(variantId.toLowerCase());
    if (offer === undefined) {
      const detail = `The brand of the order sells no such variant in ${held.currency} at this moment.`;
      unsold.push({ pointer: `/add/${index}/variantId`, code: 'not_sold', detail });
      return [];
    }
    const { productId, title, options, sku, image, taxCategory, weightGrams, requiresShipping, unitPrice, taxed } =
      offer;
    return [
      {
        id: newId(),
        productId,
        variantId: variantId.toLowerCase(),
        title,
        options,
        sku,
        image,
        taxCategory,
        weightGrams,
        requiresShipping,
        quantity,
        unitPrice,
        taxed,
      },
    ];
  });
  if (unsold.length > 0) throw invalidLines(unsold);
  try {
    const taxes = moved ? { of: quote.taxes, shipping: quote.shippingTax } : undefined;
    return nextVersion(before, { pricing, quantities: lowered, bought, added, taxes });
  } catch (error) {
    if (error instanceof OtherPrice)
      throw ordersFail(
        'other_price',
        'The buyer pays tax at one of the two addresses and is relieved of it at the other, so prices would not be the ones that were agreed: ' +
          'place another order instead.',
      );
    throw error;
  }
}

function requireOnce(add: NonNullable<EditGiven['add']>): void {
  const seen = new Set<string>();
  for (const [index, { variantId }] of add.entries()) {
    const id = variantId.toLowerCase();
    if (seen.has(id))
      throw invalidAt(`/add/${index}/variantId`, 'repeated', 'Give each variant once, with all of its units.');
    seen.add(id);
  }
}

/** @throws Problem `invalid_request` (400) */
export function requireReasonable(after: Version, before: Version, { currency }: Order): void {
  if (after.lines.every(({ quantity }) => quantity === 0))
    throw invalidAt('/lines', 'nothing_left', 'Nothing of the order would be left: cancel it instead.');
  const most = [after.total, after.subtotal].some((amount) => amount > mostAmount && amount > before.total);
  if (most)
    throw invalidAt(
      '/add',
      'amount_too_large',
      `The order would come to more than ${formatAmount(mostAmount, currency)} ${currency}.`,
    );
}

/** @throws Problem `other_price` (409) where the edit does not come to what was shown */
export function requireShown({ total }: Version, { total: shown }: EditGiven, { currency }: Order): void {
  if (shown === undefined || (shown.amount === formatAmount(total, currency) && shown.currency === currency)) return;
  const now = `${formatAmount(total, currency)} ${currency}`;
  const detail = `The order would come to ${now}, and you were shown ${shown.amount} ${shown.currency}: preview it again and decide anew.`;
  throw ordersFail('other_price', detail, { errors: [{ pointer: '/total', code: 'other_price', detail }] });
}
