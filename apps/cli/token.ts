import { makeServiceToken } from '@steward/identity';
import { mintToken } from '@steward/identity/provider';
import { ConfigError, type Environment } from '@steward/kernel';
import { audiencesOf, runningInstance } from './instance.ts';
import { UsageError } from './command.ts';

/** Prints a token; it is the last line of stdout. */
export async function tokenCommand(
  values: { approver: boolean } & Record<
    'user' | 'client' | 'agent' | 'service' | 'scope' | 'tenant' | 'lifetime',
    string | undefined
  >,
  env: Environment,
): Promise<number> {
  if (values.service !== undefined) return serviceToken(values.service);
  const { dataDir, addresses, issuer, config } = await runningInstance(env);
  if (config.issuers.length > 0) {
    throw new ConfigError('This instance takes tokens of configured ISSUERS: get one from your identity provider.');
  }
  const lifetime = values.lifetime === undefined ? undefined : Number(values.lifetime);
  if (lifetime !== undefined && !(Number.isInteger(lifetime) && lifetime > 0))
    throw new UsageError('--lifetime is a number of seconds.');
  const token = await mintToken({
    dataDir,
    issuer,
    audiences: audiencesOf(addresses),
    ...pick({
      user: values.user,
      client: values.client,
      agent: values.agent,
      scope: values.scope,
      tenant: values.tenant,
      approver: values.approver,
    }),
    ...(lifetime === undefined ? {} : { lifetimeSeconds: lifetime }),
  });
  console.log(token);
  return 0;
}

function serviceToken(name: string): number {
  const { token, entry } = makeServiceToken(name);
  console.log(
    `Add this entry to SERVICE_TOKENS of the server, which keeps only the hash:\n${entry}\n\nThe token, shown this once:\n${token}`,
  );
  return 0;
}

/** Options that were given; `exactOptionalPropertyTypes` callers want no undefined. */
function pick<T extends Record<string, unknown>>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
