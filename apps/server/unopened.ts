import { createLog } from '@steward/kernel';
import { components, readConfig } from './components.ts';
import { make } from './made.ts';
import { openProcess } from './process.ts';

/** The application as its code alone makes it: no database, no network. For reading what it declares. */
export function unopened() {
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
  return { addresses, application };
}
