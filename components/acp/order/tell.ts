import type { OrderTelling } from '@steward/agentic';
import { type AgentSale, agentSaleOf, type SessionDeps } from '@steward/checkout';
import { wholeOrderIn } from '@steward/orders';
import { showOrder } from './show.ts';

/** What agent platforms are told of the orders that they placed: whole, as `GET /orders/{id}` answers them. */
export const orderTelling = (sessions: Pick<SessionDeps, 'statusUrlOf'>): OrderTelling<AgentSale> => ({
  protocol: 'acp',
  saleOf: agentSaleOf,
  bodyOf: async (tx, { orderId, sale, event }) => {
    const whole = await wholeOrderIn(tx, { orderId, brandId: sale.brandId });
    if (whole === undefined) return undefined;
    const type = event.type === 'commerce.order.placed' ? 'order_create' : 'order_update';
    return JSON.stringify({ type, data: showOrder(whole, sessions.statusUrlOf(tx.context.tenant, orderId)) });
  },
});
