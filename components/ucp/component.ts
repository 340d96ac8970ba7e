import type { Consumer } from '@steward/bus';
import { createPickups } from '@steward/checkout';
import { mountRoutes, type Route } from '@steward/contract';
import { ConfigError, limitBucket, logFailure, Problem, requestProblem, type Scope } from '@steward/kernel';
import type { LimitAnswer } from '@steward/limits';
import type { CardSettings } from '@steward/orders';
import { a2aRoute } from './a2a/endpoint.ts';
import { cartVerbs } from './cart/verbs.ts';
import { catalogueVerbs } from './catalogue/verbs.ts';
import { checkoutVerbs } from './checkout/verbs.ts';
import { createServe, served } from './door.ts';
import { mcpRoute } from './mcp/endpoint.ts';
import { orderTelling } from './order/tell.ts';
import { orderVerbs } from './order/verbs.ts';
import { checkoutPages } from './page/page.ts';
import type { UcpPorts } from './ports.ts';
import { createProfiles, profileRoutes } from './profile/profile.ts';
import { sendFlat } from './rest/answer.ts';
import { doorGuard, restRoutes } from './rest/routes.ts';
import { conformanceBeyond } from './testing/beyond.ts';
import { testingRoutes } from './testing/orders.ts';

export const name = 'ucp';
export { ucpSettings as settings } from './settings.ts';
export { ucpFail as errors } from './errors.ts';
export { showOrder } from './order/show.ts';
export { versions } from './negotiation/versions.ts';
export { grammar, published } from './events.ts';
export type { UcpPorts } from './ports.ts';

export interface Ucp {
  readonly consumers: readonly Consumer[];
  readonly serves: readonly [
    {
      readonly at: 'commerce';
      readonly documented: readonly Route[];
      readonly routes: readonly Route[];
      register(scope: Scope): void;
    },
  ];
}

/** The Universal Commerce Protocol for every brand, at `{commerce_api_url}/ucp/{brand_id}`. */
export function create(ports: UcpPorts & { readonly config: { readonly cards?: CardSettings } }): Ucp {
  const { config, checkout, limiter, clientAddress, log } = ports;
  if (config.ucp.conformance && config.cards?.account?.live === true)
    throw new ConfigError(
      'UCP_CONFORMANCE=1 is for tests: unset it, or give a test key of Stripe for payments of shops.',
    );
  const { sessions } = checkout;
  const orders = orderVerbs(sessions);
  const pickups = createPickups();
  const verbs = {
    checkout: checkoutVerbs(sessions, conformanceBeyond(sessions), pickups),
    cart: cartVerbs(sessions.secret),
    order: orders,
    catalogue: catalogueVerbs(ports, pickups),
  };
  const serve = createServe(ports, verbs);
  const guard = doorGuard(ports);
  const routes = [
    ...profileRoutes(guard, ports, createProfiles(ports)),
    ...restRoutes(guard, ports, serve),
    mcpRoute(guard, ports, serve),
    a2aRoute(guard, ports, serve),
    ...(config.ucp.conformance ? testingRoutes(guard, ports, serve, orders) : []),
  ];
  const perAddress = { name: 'ucp-address', allowed: config.ucp.perAddressPerMinute, windowSeconds: 60 };
  return {
    consumers: [
      ports.agentic.orderTeller(
        orderTelling(sessions, {
          served: served(config.ucp),
          suite: config.ucp.conformance ? config.ucp.version : undefined,
        }),
      ),
    ],
    serves: [
      {
        at: 'commerce',
        documented: routes,
        routes: [],
        register: (scope) => {
          void scope.register(async (own) => {
            own.addHook('onRequest', (request, reply, done) => {
              const settle = ({ fields, refusal }: LimitAnswer): void => {
                reply.headers(fields);
                if (refusal === undefined) done();
                else done(refusal);
              };
              const taken = limiter.take([{ limit: perAddress, key: limitBucket(clientAddress(request.raw)) }]);
              if (taken instanceof Promise) taken.then(settle, done);
              else settle(taken);
            });
            own.setErrorHandler(async (error, request, reply) => {
              const problem = error instanceof Problem ? error : requestProblem(error as Error);
              if (problem.status >= 500)
                logFailure(log, problem, { requestId: request.id, route: request.routeOptions.url }, 'request failed');
              return sendFlat(reply, problem, request.id);
            });
            mountRoutes(own, routes);
          });
          checkoutPages(scope, ports, sessions);
        },
      },
    ],
  };
}
