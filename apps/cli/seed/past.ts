import { createLog, type Addresses, listen } from '@steward/kernel';
import { readConfig } from '@steward/server/components';
import { compose } from '@steward/server/compose';
import type { CommandEnvironment, Instance } from '../instance.ts';

/** A process of the server that nobody else reaches, over the database of the one that runs. */
export interface PastProcess extends AsyncDisposable {
  readonly addresses: Addresses;
  /** When what is asked of it happened, from now on. Undefined: now. Milliseconds. */
  at(milliseconds: number | undefined): void;
}

/**
 * What happened over a year cannot be asked of a server at its own time, and no request may say when it happened. So the seed has a process
 * of its own, whose every word is said of another time: what is asked of it passes the doors, permissions and verbs of any request.
 */
export async function openPast(
  env: CommandEnvironment,
  { dataDir }: Instance,
  database: { readonly url: string; readonly ownerUrl?: string },
): Promise<PastProcess> {
  const config = readConfig({ ...env, ...generous, DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl });
  await using stack = new AsyncDisposableStack();
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const [listener, internal] = await Promise.all([listen('127.0.0.1', 0, log), listen('127.0.0.1', 0, log)]);
  stack.defer(async () => void (await Promise.all([listener.close(0), internal.close(0)])));
  const own = config.addresses(listener.port);
  let happenedAt: number | undefined;
  const application = stack.use(
    await compose({
      config,
      dataDir,
      addresses: own,
      internalUrl: `http://127.0.0.1:${internal.port}`,
      databaseUrl: database.url,
      log,
      listener,
      internal,
      leaving: () => false,
      happenedAt: () => happenedAt,
    }),
  );
  listener.open(application.handlePublic);
  const kept = stack.move();
  return {
    addresses: own,
    at: (milliseconds) => {
      happenedAt = milliseconds === undefined ? undefined : Math.floor(milliseconds);
    },
    [Symbol.asyncDispose]: async () => kept.disposeAsync(),
  };
}

/** A year in a minute is more than visitors may ask for. */
const generous = {
  PORT: '0',
  HOST: '127.0.0.1',
  COMPONENTS: '',
  ...Object.fromEntries(
    ['PUBLIC', 'MCP', 'MCP_ALIAS', 'PORTAL', 'ACCOUNTING', 'COMMERCE', 'STUDIO'].map((name) => [`${name}_URL`, '']),
  ),
  STOREFRONT_PER_IP_PER_MINUTE: '1000000',
  STOREFRONT_PER_KEY_PER_MINUTE: '1000000',
  STOREFRONT_SITE_PER_KEY_PER_MINUTE: '1000000',
};
