import { fail } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { type Holding, requireVersion, type Shop } from '../carts/cart.ts';
import type { Asked } from '../carts/change.ts';
import { requireSold, withMore } from '../carts/given.ts';
import { type Answered, claim, keepAnswer } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { wantedOf } from '../pricing/line.ts';
import type { SessionDeps } from './deps.ts';
import { evaluate } from './figures.ts';
import type { CheckoutChange } from './given.ts';
import { withFigures } from './open.ts';
import {
  type Checkout,
  holdSession,
  type KeptSession,
  requireChangeable,
  sessionFrom,
  showSession,
  storeSession,
} from './session.ts';

/**
 * Changes what is given and nothing else; null clears.
 * @throws Problem `not_found` (404), `checkout_closed`, `payment_in_progress`, `idempotency_key_reused` (409), `version_changed` (412), `not_sold`
 * (422), `invalid_request` (400) for a way of shipping that is not offered
 */
export async function updateCheckout(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  { lines, ...change }: CheckoutChange,
  deps: SessionDeps,
  { version, repeatable }: Asked = {},
): Promise<Answered<Checkout>> {
  const { tenant } = context;
  return context.require(serveBuyers).write(async (tx) => {
    const [before, row] = await Promise.all([claim<Checkout>(tx, repeatable), holdSession(tx, holding.id)]);
    const session = sessionFrom(row, shop, holding);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true };
    requireChangeable(session);
    requireVersion(session.version, version);
    const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const asked = { ...session, ...said } as KeptSession;
    const wanted = lines === undefined ? session.lines.map(wantedOf) : anew(session, lines);
    const found = await evaluate(tenant, tx.queryAll, asked, shop, wanted);
    if (lines !== undefined) requireSold(found.priced, wanted, lines, session.currency);
    const { shippingOptionId: option } = change;
    if (option !== undefined && option !== null && found.figures.shippingOptionId !== option) throw notOffered(asked);
    const next = { ...withFigures(asked, found), version: session.version + 1 };
    storeSession(tx, next);
    const answer = showSession(tenant, next, deps);
    keepAnswer(tx, repeatable, answer);
    return { answer, replayed: false };
  });
}

/** Lines of variants that are there keep their ids and what they cost before. */
function anew({ lines }: KeptSession, given: NonNullable<CheckoutChange['lines']>) {
  const before = new Map(lines.map((one) => [one.variantId, one]));
  return withMore([], given).map((one) => {
    const kept = before.get(one.variantId);
    return kept === undefined ? one : { ...one, id: kept.id, kept };
  });
}

function notOffered({ shippingAddress }: KeptSession): Error {
  const detail =
    shippingAddress === null
      ? 'Give the shipping address first: which ways there are depends on it.'
      : 'Give the id of one of shippingOptions.';
  const pointer = '/shippingOptionId';
  return fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'not_offered', detail }] });
}
