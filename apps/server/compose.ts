import { mountRoutes } from '@steward/contract';
import {
  createRouter,
  explainErrorsAt,
  secretKey,
  type Listener,
  type Mount,
  type RequestHandler,
} from '@steward/kernel';
import { createWall, raiseWall } from '@steward/sql';
import { components, type Config } from './components.ts';
import { healthRoutes, metricsRoute } from './health.ts';
import { make, routesOf } from './made.ts';
import { pageRoutes, type PagesOptions } from './pages/routes.ts';
import { openProcess, version, type Plan } from './process.ts';
import { developmentProvider } from './provider.ts';
import { openApi } from './reference/openapi.ts';

export interface Site extends Omit<Plan<Config>, 'stateKey'> {
  readonly listener: Listener;
  readonly internal: Listener;
}

export interface Application extends AsyncDisposable {
  readonly issuer: string;
  readonly handlePublic: RequestHandler;
  readonly handleInternal: RequestHandler;
}

/** Puts what this process serves behind its two listeners, and starts what runs by itself; disposing stops it in the reverse order. */
export async function compose(site: Site): Promise<Application> {
  const { config, dataDir, addresses, log } = site;
  await using stack = new AsyncDisposableStack();
  const stateKey = await secretKey(config, dataDir);
  await raiseWall(site.databaseUrl, createWall(stateKey));
  const process = stack.use(openProcess({ ...site, stateKey }, components));
  // Requests that are in flight end once the components settle what they hold.
  const routers: { close(): Promise<void> }[] = [];
  stack.defer(async () => {
    for (const router of routers) await router.close();
  });
  const made = make(process, stack);
  const { agentic, parts, mountables, graph, member, ready, metrics, issuers } = made;
  const provider = await developmentProvider(site, made.portal.organizationsOf);
  const serves = (name: string): boolean => config.components.some((one) => one === name);

  explainErrorsAt(`${new URL(addresses.portal).origin}/docs/errors`);
  const pages: PagesOptions = {
    version,
    addresses,
    components: config.components,
    issuers,
    development: config.issuers.length === 0,
    examples: !config.production,
    ready,
    openApi: () => openApi(routesOf(mountables), addresses, version),
  };
  const rootMount: Mount = {
    base: undefined,
    register: (scope) => {
      healthRoutes(scope, ready);
      pageRoutes(scope, pages);
    },
  };
  const mounts = mountables
    .filter(({ place }) => serves(place))
    .map(({ place, routes, registered }): Mount => ({
      base: addresses[place],
      register: async (scope) => {
        mountRoutes(scope, routes);
        for (const register of registered) await register(scope);
        if (place === 'accounting')
          graph.mount(scope, { path: '/graphql', admit: async (request) => (await member.admit(request)).context });
      },
    }));
  const internalMount: Mount = {
    base: undefined,
    register: (scope) => {
      healthRoutes(scope, ready);
      metricsRoute(scope, metrics);
    },
  };
  const serving = parts.filter(({ component }) => serves(component.name)).map(({ part }) => part);
  const common = { log, observe: metrics.observe };
  const open = await createRouter({
    server: site.listener.server,
    mounts: [rootMount, ...mounts],
    doors: [...serving.flatMap(({ doors = [] }) => doors), ...provider],
    ...common,
  });
  routers.push(open);
  const internal = await createRouter({
    server: site.internal.server,
    mounts: [internalMount],
    doors: serving.flatMap(({ internalDoors = [] }) => internalDoors),
    ...common,
  });
  routers.push(internal);
  if (site.happenedAt === undefined) for (const { part } of parts) await part.start?.();
  const routed = serving.reduce((handle, part) => part.quickly?.(handle) ?? handle, open.handle);
  const resources = stack.move();
  return {
    issuer: issuers.join(', '),
    handlePublic: agentic.front(serves('portal') ? made.console.front(routed) : routed),
    handleInternal: internal.handle,
    [Symbol.asyncDispose]: async () => resources.disposeAsync(),
  };
}
