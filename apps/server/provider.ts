import { signedInAt } from '@steward/approvals';
import { signedInAt as signedInAtConsole, signedOutAt } from '@steward/console';
import type { Door } from '@steward/kernel';
import type { Portal } from '@steward/portal';
import type { Config } from './components.ts';
import type { Plan } from './process.ts';

/** The development identity provider, where no issuer is configured. */
export async function developmentProvider(
  { config, dataDir, addresses, log }: Pick<Plan<Config>, 'config' | 'dataDir' | 'addresses' | 'log'>,
  organizationsOf: Portal['organizationsOf'],
): Promise<readonly Door[]> {
  if (config.issuers.length > 0) return [];
  const { createProvider } = await import('@steward/identity/provider');
  const provider = await createProvider({
    issuer: addresses.issuer,
    dataDir,
    resources: addresses,
    tenantsOf: async (subject) =>
      (await organizationsOf({ subject: { type: 'user', id: subject }, tenantClaim: undefined })).map(
        ({ tenant, name }) => ({ tenant, label: name }),
      ),
    log,
    consoleRedirects: [
      signedInAt(addresses.portal),
      signedInAtConsole(addresses.portal),
      `${new URL(addresses.issuer).origin}/signed-in`,
    ],
    consoleSignedOut: [signedOutAt(addresses.portal)],
    unsafePublic: config.developmentIssuer === 'unsafe-public',
  });
  return provider.doors;
}
