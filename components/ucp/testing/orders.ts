import { timingSafeEqual, hash } from 'node:crypto';
import { arrivedOf } from '@steward/agentic';
import { keepDoorState } from '@steward/checkout';
import { checkOf, type Guard, route, type Route } from '@steward/contract';
import { bodyLimit, fail, parseJson } from '@steward/kernel';
import { fulfilOrder } from '@steward/orders';
import { z } from 'zod';
import { notFound } from '../checkout/refusals.ts';
import { holding } from '../checkout/verbs.ts';
import { type Serve } from '../door.ts';
import { ucpFail } from '../errors.ts';
import { names } from '../negotiation/versions.ts';
import type { Operation } from '../operations.ts';
import type { OrderVerbs } from '../order/verbs.ts';
import type { Door, UcpPorts } from '../ports.ts';
import { answered } from '../rest/answer.ts';
import { base } from '../rest/routes.ts';
import { nothing } from '../shown/outcome.ts';

const text = z.string().max(500);
const moved = z.looseObject({ id: text, occurred_at: text, type: text });
/** What the suite writes into an order. */
const written = z.looseObject({
  fulfillment: z.looseObject({ events: z.array(moved).max(100).nullish() }).nullish(),
  adjustments: z
    .array(moved.extend({ status: z.enum(['pending', 'completed', 'failed']) }))
    .max(100)
    .nullish(),
});
const read = checkOf(written);

/**
 * What the official suite asks for and the protocol has not: to write into orders, and to have them shipped. Only where it is asking (`UCP_CONFORMANCE`).
 */
export function testingRoutes(
  guard: Guard<Door>,
  { config, addresses }: Pick<UcpPorts, 'config' | 'addresses'>,
  serve: Serve,
  orders: OrderVerbs,
): Route[] {
  const { simulationSecret } = config.ucp;
  const asked = (run: Operation['run']): Operation => ({
    name: 'testing',
    summary: '',
    method: 'PUT',
    path: '',
    capability: names.order,
    payload: null,
    given: null,
    key: 'none',
    made: false,
    run,
  });
  const update = (given: z.output<typeof written>) =>
    asked(async (_verbs, visit, id) => {
      const found = await orders.find(visit, id);
      if (found === undefined) return nothing(visit.version, [notFound('order')]);
      const { whole, state } = found;
      const own = new Set(whole.order.fulfilments.map((one) => one.id));
      const simulated = {
        events: (given.fulfillment?.events ?? []).filter((one) => !own.has(one.id)),
        adjustments: given.adjustments ?? [],
      };
      await keepDoorState(visit.context, visit.shop, holding(whole.order.checkoutId), { ...state, simulated });
      return orders.get(visit, id);
    });
  const ship = asked(async (_verbs, visit, id) => {
    const found = await orders.find(visit, id);
    if (found === undefined) return nothing(visit.version, [notFound('order')]);
    await fulfilOrder(visit.context, { orderId: id });
    return orders.get(visit, id);
  });
  const common = {
    does: 'for_anyone',
    tag: 'Universal Commerce Protocol',
    guard,
    params: z.object({ brandId: z.string(), id: z.string() }),
    upload: { types: ['application/json', '*/*'], mostBytes: bodyLimit },
    answers: { 200: { description: 'The order.', schema: z.looseObject({ id: z.string() }) } },
  } as const;
  return [
    route({
      ...common,
      method: 'PUT',
      path: `${base}/orders/:id`,
      summary: 'Write into an order, for the official test suite',
      errors: ['not_an_order'],
      handle: async ({ guard: door, params: { id }, body, request }) => {
        const arrived = arrivedOf(request, body, addresses.commerce);
        const given = read(parseJson(arrived.body));
        if (!given.success) throw ucpFail('not_an_order');
        const operation = update(given.data);
        return answered(
          await serve({
            door,
            arrived,
            operation,
            id,
            given: undefined,
            key: undefined,
            keyRequired: false,
            requestId: request.id,
          }),
        );
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/testing/simulate-shipping/:id`,
      summary: 'Have an order shipped, for the official test suite',
      headers: { 'Simulation-Secret': 'UCP_SIMULATION_SECRET. Required.' },
      errors: ['insufficient_scope'],
      handle: async ({ guard: door, params: { id }, body, request }) => {
        const arrived = arrivedOf(request, body, addresses.commerce);
        const digest = (one: string) => hash('sha256', one, 'buffer');
        const sent = arrived.headers['simulation-secret'] ?? '';
        if (simulationSecret === undefined || !timingSafeEqual(digest(sent), digest(simulationSecret)))
          throw fail('insufficient_scope', 'Send the Simulation-Secret that the server was started with.');
        return answered(
          await serve({
            door,
            arrived,
            operation: ship,
            id,
            given: undefined,
            key: undefined,
            keyRequired: false,
            requestId: request.id,
          }),
        );
      },
    }),
  ];
}
