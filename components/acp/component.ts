import type { Integrations } from '@steward/identity';
import type { Consumer } from '@steward/bus';
import { createPickups } from '@steward/checkout';
import { mountRoutes, type Route } from '@steward/contract';
import {
  createGuardedPost,
  limitBucket,
  logFailure,
  lookupFor,
  newId,
  Problem,
  requestProblem,
  type Scope,
} from '@steward/kernel';
import type { LimitAnswer } from '@steward/limits';
import type { TenantContext } from '@steward/sql';
import type { Tool } from '@steward/tools';
import { madeFeeds } from './pushed/made.ts';
import { cartVerbs } from './cart/verbs.ts';
import { discoveryRoutes } from './discovery/discovery.ts';
import { createServe } from './door.ts';
import type { Verbs } from './operations.ts';
import { orderTelling } from './order/tell.ts';
import { orderVerbs } from './order/verbs.ts';
import { feedRoutes } from './feed/routes.ts';
import { mcpRoute } from './mcp/endpoint.ts';
import { issueToken } from './payment-token/issue.ts';
import { buyerPages } from './page/page.ts';
import type { AcpPorts } from './ports.ts';
import { feedMarker } from './pushed/marks.ts';
import { bytesKept } from './pushed/platform.ts';
import type { FeedPorts } from './pushed/ports.ts';
import { pushedRoutes } from './pushed/routes.ts';
import { defaultTimings } from './pushed/timings.ts';
import { feedTools } from './pushed/tools.ts';
import { createPusher } from './pushed/worker.ts';
import { sendFlat } from './rest/answer.ts';
import { doorGuard, echoed, restRoutes } from './rest/routes.ts';
import { sessionVerbs } from './session/verbs.ts';

export const name = 'acp';
export const tools: readonly Tool<FeedPorts>[] = feedTools;
export { acpNouns as nouns } from './nouns.ts';
export { acpSettings as settings } from './settings.ts';
export { acpFail as errors } from './errors.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { grammar, published } from './events.ts';
export { recorded } from './recorded.ts';

export interface Acp {
  readonly integrations: readonly Integrations[];
  readonly consumers: readonly Consumer[];
  readonly serves: readonly [
    {
      readonly at: 'commerce';
      readonly documented: readonly Route[];
      readonly routes: readonly Route[];
      register(scope: Scope): void;
    },
  ];
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The Agentic Commerce Protocol for every brand, at `{commerce_api_url}/acp/{brand_id}`. */
export function create(ports: AcpPorts): Acp {
  const { config, checkout, limiter, clientAddress, log, addresses, tenancy, audit, agentic } = ports;
  const { sessions } = checkout;
  const { toLoopback, ports: allowed, deadline } = config.webhooks;
  const timings = { ...defaultTimings, ...ports.timings };
  const itself = { type: 'system', id: 'acp' } as const;
  const contextOf = (tenant: string): TenantContext => {
    const id = newId();
    const who = { chain: [itself], subject: itself, caller: itself };
    return tenancy.systemContext({ tenant, ...who, requestId: `acp-${id}`, correlationId: id });
  };
  const post = createGuardedPost({ loopback: toLoopback, ports: allowed, deadline, bytesKept });
  const pusher = createPusher({
    contextOf,
    post: post.post,
    secrets: audit.secrets,
    openTo: agentic.openTo,
    mediaAt: addresses.commerce,
    timings,
    pool: tenancy.pool,
    log,
  });
  const feeds: FeedPorts = {
    secrets: audit.secrets,
    decider: ports.decider,
    brandName: ports.brandName,
    judge: (url) => void lookupFor(url, { loopback: toLoopback, ports: allowed, plain: true }),
    changed: () => pusher.wake(),
  };
  ports.toolCatalogue.bind(tools, feeds);
  const order = orderVerbs(sessions);
  const verbs: Verbs = {
    session: sessionVerbs(sessions, order, createPickups()),
    cart: cartVerbs(sessions.secret),
    order,
    delegate: async (visit, given) => issueToken(visit, given, sessions.secret),
  };
  const serve = createServe(ports, verbs);
  const guard = doorGuard(ports);
  const routes = [
    ...discoveryRoutes(guard),
    ...restRoutes(guard, ports, serve),
    ...feedRoutes(guard, ports),
    mcpRoute(guard, ports, serve),
  ];
  const perAddress = { name: 'acp-address', allowed: config.acp.perAddressPerMinute, windowSeconds: 60 };
  return {
    integrations: [madeFeeds(feeds)],
    consumers: [agentic.orderTeller(orderTelling(sessions)), feedMarker(timings.gather, () => pusher.wake())],
    serves: [
      {
        at: 'commerce',
        documented: routes,
        routes: pushedRoutes(ports.identity.tenant(addresses.commerce), feeds),
        register: (scope) =>
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
              const { headers } = request;
              const sent = Object.fromEntries(
                Object.entries(headers).map(([called, value]) => [called, Array.isArray(value) ? value[0] : value]),
              );
              return sendFlat(reply.headers(echoed({ headers: sent })), problem, request.id);
            });
            mountRoutes(own, routes);
            buyerPages(own, ports, sessions);
          }),
      },
    ],
    start: () => pusher.start(),
    [Symbol.asyncDispose]: async () => {
      await pusher.stop();
      post.close();
    },
  };
}
