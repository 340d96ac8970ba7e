import { createLog } from '@steward/kernel';
import { components, readConfig } from '../components.ts';
import { make, routesOf } from '../made.ts';
import { migrationSources } from '../migrations.ts';
import { openProcess } from '../process.ts';
import { configurationPage } from './configuration.ts';
import { errorPage } from './errors.ts';
import { eventPage } from './events.ts';
import { openApi } from './openapi.ts';
import { schemaPage } from './schema.ts';
import { toolPage } from './tools.ts';

/** Every page of docs/reference, by file name, made from the code alone: no database, no network. */
export async function documents(): Promise<Record<string, string>> {
  const config = readConfig({});
  const addresses = config.addresses(8080);
  const application = make(
    openProcess(
      {
        config,
        dataDir: '.data',
        addresses,
        internalUrl: 'http://127.0.0.1:8081',
        databaseUrl: 'postgres://unused.invalid/unused',
        leaving: () => false,
        log: createLog('silent'),
        stateKey: new Uint8Array(32),
      },
      components,
    ),
  );
  return {
    'errors.md': errorPage(),
    'events.md': eventPage(),
    'openapi.json': `${JSON.stringify(openApi(routesOf(application.mountables), addresses), null, 2)}\n`,
    'configuration.md': configurationPage(),
    'tools.md': toolPage(application.catalogue.tools),
    'schema.graphql': application.graph.sdl(),
    'schema.sql': schemaPage(migrationSources),
  };
}
