import { routesOf } from '../made.ts';
import { migrationSources } from '../migrations.ts';
import { version } from '../process.ts';
import { unopened } from '../unopened.ts';
import { callbackSchemesPage } from './callback-schemes.ts';
import { configurationPage } from './configuration.ts';
import { errorPage } from './errors.ts';
import { eventPage } from './events.ts';
import { openApi } from './openapi.ts';
import { schemaPage } from './schema.ts';
import { toolPage } from './tools.ts';

/** Every page of docs/reference, by file name, made from the code alone: no database, no network. */
export async function documents(): Promise<Record<string, string>> {
  const { addresses, application } = unopened();
  return {
    'callback-schemes.md': callbackSchemesPage(),
    'errors.md': errorPage(),
    'events.md': eventPage(),
    'openapi.json': `${JSON.stringify(openApi(routesOf(application.mountables), addresses, version), null, 2)}\n`,
    'configuration.md': configurationPage(),
    'tools.md': toolPage(application.toolCatalogue.tools),
    'schema.graphql': application.graph.sdl(),
    'schema.sql': schemaPage(migrationSources),
  };
}
