import { customerOf } from '@steward/accounting';
import type { Work } from './work.ts';

/** Who bought, as the books know them. */
export async function customerFor({
  context,
  order,
  ports,
}: Pick<Work, 'context' | 'order' | 'ports'>): Promise<string> {
  const { billingAddress, shippingAddress, name, email, number, currency } = order;
  const address = billingAddress ?? shippingAddress;
  const otherwise = `Buyer of order ${number}`;
  return customerOf(
    context,
    {
      contactId: order.erasedAt === null ? order.contactId : null,
      name: (address?.company ?? name ?? address?.name ?? email ?? otherwise).slice(0, 200),
      email,
      currency,
      otherwise,
    },
    ports,
  );
}
