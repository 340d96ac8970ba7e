import { mountRoutes } from '@steward/contract';
import {
  createRouter,
  explainErrorsAt,
  secretKey,
  type Door,
  type Listener,
  type Mount,
  type RequestHandler,
} from '@steward/kernel';
import { createWall, raiseWall } from '@steward/sql';
import { build, issuersOf, version, type Plan } from './build.ts';
import { healthRoutes, metricsRoute } from './health.ts';
import { letterPages } from './pages/letters.ts';
import { pageRoutes, type PagesOptions } from './pages/routes.ts';
import { developmentProvider } from './provider.ts';
import { openApi } from './reference/openapi.ts';

export interface Site extends Omit<Plan, 'stateKey'> {
  readonly listener: Listener;
  readonly internal: Listener;
}

export interface House {
  readonly issuer: string;
  readonly handlePublic: RequestHandler;
  readonly handleInternal: RequestHandler;
  stop(): Promise<void>;
}

/** Puts what this process serves behind its two listeners, and starts what runs by itself. */
export async function compose(site: Site): Promise<House> {
  const { config, dataDir, addresses, log } = site;
  const stateKey = await secretKey(config, dataDir);
  await raiseWall(site.databaseUrl, createWall(stateKey));
  const house = build({ ...site, stateKey });
  const { identity, audit, bus, approvals, mail, workshop, limiter, shop } = house;
  const { tools, graph, routes, ready, metrics } = house;
  const provider = await developmentProvider(site, house.office.organizationsOf);
  const serves = new Set(config.components);

  explainErrorsAt(`${new URL(addresses.portal).origin}/docs/errors`);
  const storefront = house.shop.storefrontRoutes;
  const pages: PagesOptions = {
    version,
    addresses,
    components: config.components,
    issuers: issuersOf(config, addresses),
    development: config.issuers.length === 0,
    graphiql: !config.production,
    ready,
    openApi: () => openApi({ ...routes, commerce: [...storefront, ...routes.commerce] }, addresses),
  };
  const mounts: Mount[] = [
    {
      base: undefined,
      register: (scope) => {
        healthRoutes(scope, ready);
        pageRoutes(scope, pages);
      },
    },
  ];
  if (serves.has('portal')) {
    mounts.push({
      base: addresses.portal,
      register: (scope) => {
        mountRoutes(scope, routes.portal);
        approvals.pages(scope);
      },
    });
  }
  if (serves.has('accounting')) {
    mounts.push({
      base: addresses.accounting,
      register: (scope) => {
        mountRoutes(scope, routes.accounting);
        graph.mount(scope, {
          path: '/graphql',
          admit: async (request) => (await house.member.admit(request)).context,
        });
      },
    });
  }
  if (serves.has('studio')) {
    mounts.push({
      base: addresses.studio,
      register: async (scope) => {
        mountRoutes(scope, routes.studio);
        await letterPages(scope, { recipients: workshop.recipients, studio: addresses.studio, limiter });
      },
    });
  }
  if (serves.has('commerce')) {
    mounts.push({
      base: addresses.commerce,
      register: (scope) => {
        mountRoutes(scope, routes.commerce);
        shop.mount(scope);
      },
    });
  }
  const internalMount: Mount = {
    base: undefined,
    register: (scope) => {
      healthRoutes(scope, ready);
      metricsRoute(scope, metrics);
    },
  };
  const doors: Door[] = [...(serves.has('tools') ? tools.doors : []), ...provider];
  const ground = { log, observe: metrics.observe };
  const open = await createRouter({ server: site.listener.server, mounts, doors, ...ground });
  const internal = await createRouter({
    server: site.internal.server,
    mounts: [internalMount],
    doors: serves.has('tools') ? tools.internalDoors : [],
    ...ground,
  });
  const stop = async (): Promise<void> => {
    await approvals.stop();
    await shop.stop();
    await bus.stop();
    await mail.stop();
    await workshop.stop();
    await limiter.stop();
    await audit.stop();
    await identity.stop();
    await open.close();
    await internal.close();
    await Promise.all(house.pools.map(async (one) => one.close()));
  };
  const started = await Promise.allSettled([identity.start(), audit.start()]);
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    // What did start would keep the process alive.
    await stop();
    throw failed.reason;
  }
  approvals.start();
  bus.start();
  mail.start();
  workshop.start();
  shop.start();
  return {
    issuer: issuersOf(config, addresses).join(', '),
    handlePublic: serves.has('commerce') ? shop.quickly(open.handle) : open.handle,
    handleInternal: internal.handle,
    stop,
  };
}
