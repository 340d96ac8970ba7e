import { newId } from '@steward/kernel';
import type { Placing } from '@steward/orders';
import type { Priced } from '../pricing/price.ts';
import type { KeptSession } from './session.ts';

/** What is to be bought, as it was agreed. Lines get ids of their own: those of a cart may come again. */
export function placingOf(session: KeptSession, { lines, totals, discounts, option, pricing }: Priced): Placing {
  const { email, name, phone, vatNumber, marketingConsent, shippingAddress, billingAddress } = session;
  // Most pages ask for a name with the address alone. Where goods go may be somebody else's, so the bill comes first.
  const told = billingAddress ?? shippingAddress;
  return {
    checkoutId: session.id,
    mode: session.mode,
    brandId: session.brandId,
    siteId: session.siteId,
    keyId: session.keyId,
    locale: session.locale,
    currency: session.currency,
    pricing,
    buyer: {
      email: email ?? '',
      name: name ?? told?.name ?? null,
      phone,
      vatNumber,
      marketing: marketingConsent,
    },
    shippingAddress,
    billingAddress,
    note: session.note,
    lines: lines.flatMap(({ kept, charged, taxCategory, weightGrams, requiresShipping }) =>
      charged === undefined
        ? []
        : [
            {
              ...charged,
              id: newId(),
              productId: kept.productId,
              variantId: kept.variantId,
              title: kept.title,
              options: kept.options,
              sku: kept.sku,
              image: kept.image,
              taxCategory,
              weightGrams,
              requiresShipping,
            },
          ],
    ),
    shipping:
      option === null || totals.shipping === null
        ? null
        : {
            ...totals.shipping,
            optionId: option.id,
            name: option.name,
            kind: option.kind,
            locationId: option.locationId,
          },
    discounts: discounts.filter(({ amount }) => amount > 0n),
    subtotal: totals.subtotal,
    discount: totals.discount,
    net: totals.net,
    tax: totals.tax,
    total: totals.total,
    taxes: totals.taxes,
  };
}
