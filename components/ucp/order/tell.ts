import type { OrderTelling } from '@steward/agentic';
import { type AgentSale, agentSaleOf, type SessionDeps } from '@steward/checkout';
import { wholeOrderIn } from '@steward/orders';
import { stateOf } from '../checkout/state.ts';
import { isVersion, names, type Version } from '../negotiation/versions.ts';
import { envelope } from '../shown/outcome.ts';
import { showOrder } from './show.ts';

/** What agents are told of the orders that they placed: what `GET /orders/{id}` answers them. */
export const orderTelling = (
  sessions: Pick<SessionDeps, 'statusUrlOf'>,
  {
    served,
    suite,
  }: {
    readonly served: readonly Version[];
    /** What the official suite is told in. */ readonly suite?: Version | undefined;
  },
): OrderTelling<AgentSale> => ({
  protocol: 'ucp',
  saleOf: agentSaleOf,
  bodyOf: async (tx, { orderId, sale, release: asked }) => {
    const release = suite ?? asked;
    // Whoever speaks a release that is served no more cannot ask for it either.
    if (!isVersion(release) || !served.includes(release)) return undefined;
    const whole = await wholeOrderIn(tx, { orderId, brandId: sale.brandId });
    if (whole === undefined) return undefined;
    const ucp = envelope({ version: release, active: new Set([names.order]) }, names.order);
    return JSON.stringify({
      ucp,
      ...showOrder(whole, sessions.statusUrlOf(tx.context.tenant, orderId), stateOf(sale), suite !== undefined),
    });
  },
});
