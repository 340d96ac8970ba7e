import { getCheckout, type SessionDeps } from '@steward/checkout';
import { fail, isId, Problem } from '@steward/kernel';
import { readWholeOrder } from '@steward/orders';
import { serveAgents } from '../permissions.ts';
import type { Outcome } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';
import { showOrder } from './show.ts';

export interface OrderVerbs {
  /** An order of a session that the agent has proved to be its own; undefined: its person was erased. */
  shown(visit: Visit, id: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  get(visit: Visit, id: string): Promise<Outcome>;
}

const none = (): Error => fail('not_found', 'There is no such order for this agent.');

/** What an agent may see of orders: those of sessions that it made. */
export function orderVerbs(sessions: SessionDeps): OrderVerbs {
  const find = async ({ context, shop }: Visit, orderId: string) =>
    readWholeOrder(context.require(serveAgents), { orderId, brandId: shop.brandId });
  const permalink = ({ context }: Visit, id: string) => sessions.statusUrlOf(context.tenant, id);
  return {
    shown: async (visit, id) => {
      const whole = await find(visit, id);
      return whole === undefined ? undefined : showOrder(whole, permalink(visit, id));
    },
    get: async (visit, id) => {
      const whole = isId(id) ? await find(visit, id) : undefined;
      if (whole === undefined) throw none();
      await getCheckout(visit.context, visit.shop, { id: whole.order.checkoutId, token: undefined }, sessions).catch(
        (error: unknown) => {
          throw error instanceof Problem && error.code === 'not_found' ? none() : error;
        },
      );
      return { status: 200, body: showOrder(whole, permalink(visit, id)) };
    },
  };
}
