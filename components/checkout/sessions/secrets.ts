import { paymentOfCheckout, secretsOf } from '@steward/orders';
import { fail } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { Holding, Shop } from '../carts/cart.ts';
import { serveBuyers } from '../permissions.ts';
import type { SessionDeps } from './deps.ts';
import { selectSession, sessionFrom } from './session.ts';

/**
 * What the page of the buyer needs for the further step of the payment, as its handler says it at this moment: it is stored nowhere.
 * @throws Problem `not_found` (404), `payment_state` (409) where no step is awaited
 */
export async function paymentSecrets(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  { payments }: Pick<SessionDeps, 'payments'>,
): Promise<Readonly<Record<string, string>>> {
  const scope = context.require(serveBuyers);
  const [row] = await scope.read(selectSession(context.tenant, holding.id));
  const session = sessionFrom(row, shop, holding);
  const payment = await paymentOfCheckout(scope, session.id);
  if (payment === undefined) throw fail('not_found', 'The checkout has no payment yet: complete it first.');
  return secretsOf(payment, context, payments.handlers);
}
