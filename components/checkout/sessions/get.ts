import type { Row, Statement, TenantContext } from '@steward/sql';
import type { Holding, Shop } from '../carts/cart.ts';
import { serveBuyers } from '../permissions.ts';
import { isTheSame, lastSeen } from '../pricing/ahead.ts';
import type { SessionDeps } from './deps.ts';
import { evaluate, evaluationReads } from './figures.ts';
import { withFigures } from './open.ts';
import { resume } from './pay.ts';
import {
  type Checkout,
  holdSession,
  type KeptSession,
  readSession,
  selectSession,
  sessionFrom,
  showSession,
  storeSession,
} from './session.ts';

/**
 * The checkout at this moment: prices, stock, taxes, shipping and discounts are read again, and what is answered is what the buyer was last shown. A
 * payment that was left in the middle is followed up.
 * @throws Problem `not_found` (404)
 */
export async function getCheckout(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  deps: SessionDeps,
): Promise<Checkout> {
  const { tenant } = context;
  const scope = context.require(serveBuyers);
  const known = lastSeen(tenant, holding.id);
  const guess = known === undefined ? [] : evaluationReads(tenant, known);
  const [[row] = [], ...answered] = await scope.readAll([selectSession(tenant, holding.id), ...guess]);
  const read = async (asked: readonly Statement[]): Promise<Row[][]> =>
    isTheSame(asked, guess) ? answered.slice() : scope.readAll(asked);
  let session = sessionFrom(row, shop, holding);
  if (session.status === 'completing') {
    await resume(context, session.id, deps);
    session = sessionFrom((await scope.read(selectSession(tenant, holding.id)))[0], shop, holding);
  }
  if (session.status !== 'open' && session.status !== 'ready') return showSession(tenant, session, deps);
  const now = withFigures(session, await evaluate(tenant, read, session, shop, deps.payments));
  const seen: KeptSession = {
    ...now,
    lines: session.lines,
    shippingOptionId: session.shippingOptionId,
    expiresAt: session.expiresAt,
  };
  if (JSON.stringify(seen.figures) === JSON.stringify(session.figures)) return showSession(tenant, session, deps);
  return scope.write(async (tx) => {
    const row = await holdSession(tx, session.id);
    const held = row === undefined ? session : readSession(row);
    // Somebody changed it meanwhile: what is shown is what they made of it.
    if (held.version !== session.version) return showSession(tenant, held, deps);
    const next = { ...seen, version: held.version + 1 };
    storeSession(tx, next);
    return showSession(tenant, next, deps);
  });
}
