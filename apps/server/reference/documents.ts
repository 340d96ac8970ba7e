import { createLog, readConfig } from '@steward/kernel';
import { build } from '../build.ts';
import { configurationPage } from './configuration.ts';
import { errorPage } from './errors.ts';
import { openApi } from './openapi.ts';
import { toolPage } from './tools.ts';

/** Every page of docs/reference, by file name, made from the code alone: no database, no network. */
export async function documents(): Promise<Record<string, string>> {
  const config = readConfig({});
  const addresses = config.addresses(8080);
  const house = build({
    config,
    dataDir: '.data',
    addresses,
    internalUrl: 'http://127.0.0.1:8081',
    databaseUrl: 'postgres://unused.invalid/unused',
    leaving: () => false,
    log: createLog('silent'),
    stateKey: new Uint8Array(32),
  });
  return {
    'errors.md': errorPage(),
    'openapi.json': `${JSON.stringify(
      openApi({ ...house.routes, commerce: [...house.shop.storefrontRoutes, ...house.routes.commerce] }, addresses),
      null,
      2,
    )}\n`,
    'configuration.md': configurationPage(),
    'tools.md': toolPage(house.tools.catalogue),
    'schema.graphql': house.graph.sdl,
  };
}
