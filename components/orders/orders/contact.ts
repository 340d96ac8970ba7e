import { Problem } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import type { Buyer, PlacingPorts } from '../ports.ts';
import type { Placing } from './placing.ts';

/**
 * The contact of an order. What the CRM does not take of a buyer, such as a phone number that is none, is left out there and stays on the order:
 * it refuses no order.
 */
export async function contactOfOrder(
  tx: TenantTransaction,
  { mode, buyer, shippingAddress, billingAddress, erased }: Placing,
  orderId: string,
  { contactOf }: PlacingPorts,
): Promise<string | null> {
  if (erased !== undefined) return null;
  let said: Buyer = {
    email: buyer.email ?? undefined,
    name: buyer.name ?? undefined,
    phone: buyer.phone ?? undefined,
    defaultCountry: (billingAddress ?? shippingAddress)?.country,
    marketingConsent: buyer.marketing,
    test: mode === 'test',
    source: { kind: 'order.placed', refs: { order_id: orderId } },
  };
  for (;;) {
    try {
      return await contactOf(tx, said);
    } catch (error) {
      const fewer = error instanceof Problem && error.status < 500 ? without(said, error) : undefined;
      if (fewer === undefined) throw error;
      if (fewer === 'nobody') return null;
      said = fewer;
    }
  }
}

const values = ['email', 'name', 'phone'] as const;

/** The buyer without the values that were refused; nobody where none is left; undefined where it was something else. */
function without(said: Buyer, { code, errors = [] }: Problem): Buyer | 'nobody' | undefined {
  const given = values.filter((value) => said[value] !== undefined);
  if (code === 'contact_identity_required' || given.length === 0) return 'nobody';
  const refused = given.filter((value) => errors.some(({ pointer }) => pointer === `/${value}`));
  if (refused.length === 0) return undefined;
  return { ...said, ...Object.fromEntries(refused.map((value) => [value, undefined])) };
}
