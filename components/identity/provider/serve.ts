import { isLoopback, type RequestHandler } from '@steward/kernel';
// Not the package's index, which prints a warning on every release of Node that is not yet called LTS. Pinned to 9.13.
import { Provider as OidcProvider } from 'oidc-provider/lib/provider.js';
import { createAccounts } from './accounts.ts';
import { consoleClient } from './clients/preset.ts';
import { configure } from './configuration.ts';
import { createHandler } from './handler.ts';
import { createInteraction } from './interaction/interaction.ts';
import { developmentKeys } from './keys.ts';
import type { ProviderOptions } from './options.ts';
import type { Setting } from './setting.ts';
import { showStart } from './start.ts';
import { recordFolder } from './store/records.ts';

/** Puts the provider together; `createProvider` calls this with the first request. */
export async function serve(options: ProviderOptions): Promise<RequestHandler> {
  const issuer = new URL(options.issuer);
  const keys = await developmentKeys(options.dataDir);
  const folder = recordFolder(options.dataDir);
  const setting: Setting = {
    issuer,
    addresses: options.resources,
    folder,
    keys,
    accounts: createAccounts(folder, keys),
    clients: [
      consoleClient(options.consoleRedirects ?? [`${issuer.origin}/signed-in`], options.consoleSignedOut),
      ...(options.clients ?? []),
    ],
    unsafePublic: options.unsafePublic ?? !isLoopback(issuer.hostname),
  };
  const provider = new OidcProvider(options.issuer, configure(setting));
  provider.proxy = true;
  provider.silent = true;
  provider.on('server_error', (_ctx, error) => options.log.error({ err: error }, 'identity provider failed'));
  provider.use(showStart(setting));
  const interact = createInteraction({ provider, setting, tenantsOf: options.tenantsOf });
  return createHandler({ provider, issuer, interact, log: options.log });
}
