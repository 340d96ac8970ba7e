import { getCheckout, type SessionDeps } from '@steward/checkout';
import { isId, Problem } from '@steward/kernel';
import { readWholeOrder, type WholeOrder } from '@steward/orders';
import { notFound } from '../checkout/refusals.ts';
import { type State, stateOf } from '../checkout/state.ts';
import { holding } from '../checkout/verbs.ts';
import { names } from '../negotiation/versions.ts';
import { serveAgents } from '../permissions.ts';
import { envelope, nothing, type Outcome } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';
import { showOrder } from './show.ts';

export interface OrderVerbs {
  /** Undefined: there is none, or it is not this agent's. */
  find(visit: Visit, id: string): Promise<{ readonly whole: WholeOrder; readonly state: State } | undefined>;
  get(visit: Visit, id: string): Promise<Outcome>;
}

/** What an agent may see of orders: those of checkouts that it made. */
export function orderVerbs(sessions: SessionDeps): OrderVerbs {
  const find: OrderVerbs['find'] = async (visit, id) => {
    if (!isId(id)) return undefined;
    const { context, shop } = visit;
    const whole = await readWholeOrder(context.require(serveAgents), { orderId: id, brandId: shop.brandId });
    if (whole === undefined) return undefined;
    try {
      const checkout = await getCheckout(context, shop, holding(whole.order.checkoutId), sessions);
      return { whole, state: stateOf(checkout) };
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  return {
    find,
    get: async (visit, id) => {
      const found = await find(visit, id);
      if (found === undefined) return nothing(visit.version, [notFound('order')]);
      const permalink = sessions.statusUrlOf(visit.context.tenant, id);
      const shown = showOrder(found.whole, permalink, found.state, visit.conformance);
      return { status: 200, body: { ucp: envelope(visit, names.order), ...shown } };
    },
  };
}
