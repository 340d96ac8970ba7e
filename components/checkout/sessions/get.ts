import type { Row, Statement, TenantContext, TenantTransaction } from '@steward/sql';
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
 * @param look.shown false: whoever completes it is not answered with it, so what they were last shown stays
 * @throws Problem `not_found` (404)
 */
export async function getCheckout(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  deps: SessionDeps,
  { shown = true }: { readonly shown?: boolean } = {},
): Promise<Checkout> {
  const { tenant } = context;
  const scope = context.require(serveBuyers);
  const known = lastSeen(tenant, holding.id);
  const guess = known === undefined ? [] : evaluationReads(tenant, known, deps.payments);
  const [[row] = [], ...answered] = await scope.readAll([selectSession(tenant, holding.id), ...guess]);
  let read = async (asked: readonly Statement[]): Promise<Row[][]> =>
    isTheSame(asked, guess) ? answered.slice() : scope.readAll(asked);
  let session = sessionFrom(row, shop, holding);
  if (session.status === 'completing') {
    await resume(context, session.id, deps);
    // What was read ahead is from before: stock and codes of a payment that failed were still taken.
    read = scope.readAll;
    session = sessionFrom((await scope.read(selectSession(tenant, holding.id)))[0], shop, holding);
  }
  if (session.status !== 'open' && session.status !== 'ready') return showSession(tenant, session, deps);
  const now = withFigures(session, await evaluate(tenant, read, session, shop, deps.payments), context);
  const { figures, status } = now;
  if (JSON.stringify(figures) === JSON.stringify(session.figures)) return showSession(tenant, session, deps);
  const seen = { ...session, figures, status };
  return showSession(tenant, shown ? await keepShown(context, session, seen) : seen, deps);
}

/**
 * @param beside what is kept together with what is shown
 * @returns what is to be shown: `seen`, which is what the buyer was last shown from now on
 */
export async function keepShown(
  context: TenantContext,
  { id, version }: KeptSession,
  seen: KeptSession,
  beside?: (tx: TenantTransaction, shown: KeptSession) => void,
): Promise<KeptSession> {
  return context.require(serveBuyers).write(async (tx) => {
    const row = await holdSession(tx, id);
    const held = row === undefined ? seen : readSession(row);
    // Somebody changed it meanwhile: what is shown is what they made of it.
    const isHeld = held.version === version;
    // A card that was refused late is counted without a new version, since nobody is shown that count.
    const { attempts, attemptedAt, attemptedTrusted } = held;
    const next = isHeld ? { ...seen, attempts, attemptedAt, attemptedTrusted, version: version + 1 } : held;
    if (isHeld) storeSession(tx, next);
    beside?.(tx, next);
    return next;
  });
}
