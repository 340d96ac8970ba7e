import { paymentOfCheckout, voidPayment } from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import { type Holding, requireVersion, type Shop } from '../carts/cart.ts';
import type { Asked } from '../carts/change.ts';
import { checkoutFail } from '../errors.ts';
import { type Answered, enter, keepAnswer, recall } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { roomIn, takeRoom } from '../room/take.ts';
import type { SessionDeps } from './deps.ts';
import { giveBack, resume } from './pay.ts';
import {
  type Checkout,
  closed,
  holdSession,
  type KeptSession,
  selectSession,
  sessionFrom,
  showSession,
  storeSession,
} from './session.ts';

/**
 * Ends it, while no money is authorised.
 * @throws Problem `not_found` (404), `checkout_closed`, `payment_in_progress`, `idempotency_key_reused` (409), `version_changed` (412)
 */
export async function cancelCheckout(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  deps: SessionDeps,
  { version, repeatable }: Asked = {},
): Promise<Answered<Checkout>> {
  const { tenant } = context;
  const scope = context.require(serveBuyers);
  const [first] = await scope.read(selectSession(tenant, holding.id));
  // What was left in the middle may have been paid.
  if (sessionFrom(first, shop, holding).status === 'completing') await resume(context, holding.id, deps);
  return scope.write(async (tx) => {
    await enter(tx, repeatable);
    const [row, before, room] = await Promise.all([
      holdSession(tx, holding.id),
      recall<Checkout>(tx, repeatable),
      roomIn(tx),
    ]);
    const session = sessionFrom(row, shop, holding);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true };
    requireVersion(session.version, version);
    let done: KeptSession;
    if (session.status === 'open' || session.status === 'ready') {
      done = { ...session, status: 'cancelled', version: session.version + 1 };
      storeSession(tx, done);
    } else if (session.status === 'completing') {
      const payment = await paymentOfCheckout(tx, session.id);
      if (payment !== undefined && payment.state !== 'requires_action')
        throw checkoutFail(
          'payment_in_progress',
          'What became of the payment is not known yet: ask again in a moment.',
        );
      if (payment !== undefined) await voidPayment(tx, payment, { kind: 'checkout', id: session.id });
      const { payment: shown } = session;
      done = await giveBack(
        tx,
        { ...session, payment: shown === null ? null : { ...shown, status: 'voided', action: null } },
        'cancelled',
      );
    } else throw closed(session.status);
    const answer = showSession(tenant, done, deps);
    const growth = { before: session, after: done, asked: repeatable, answer, held: [session.id, session.cartId] };
    if (await takeRoom(tx, shop, room, growth)) keepAnswer(tx, repeatable, answer);
    return { answer, replayed: false };
  });
}
