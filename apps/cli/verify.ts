import { verifyChains, type Verdict } from '@steward/audit';
import { ConfigError, readConfig } from '@steward/kernel';
import { allTenants } from '@steward/portal';
import { prepareLogins, readLogins } from '@steward/sql';
import { startEmbedded } from '@steward/sql/embedded';
import { resolve } from 'node:path';
import { readRunFile, type CommandEnvironment } from './instance.ts';

export interface Verification extends Verdict {
  /** One sentence for people. */
  readonly summary: string;
}

export interface VerifyWish {
  readonly tenant?: string | undefined;
  readonly onProgress?: (progress: { readonly tenants: number; readonly events: number }) => void;
}

/** Verifies the chains of an instance, running or not. @throws ConfigError when its database cannot be found */
export async function verify(env: CommandEnvironment, wish: VerifyWish): Promise<Verification> {
  return withOwner(env, async (ownerUrl) => {
    const tenants = await allTenants(ownerUrl);
    const expected = wish.tenant === undefined ? tenants : [wish.tenant];
    const verdict = await verifyChains({
      ownerUrl,
      expected,
      ...(wish.tenant === undefined ? {} : { tenant: wish.tenant }),
      ...(wish.onProgress === undefined ? {} : { onProgress: wish.onProgress }),
    });
    return { ...verdict, summary: summarize(verdict) };
  });
}

function summarize({ ok, tenants, events, findings }: Verdict): string {
  const seen = `${events} events of ${tenants} tenant${tenants === 1 ? '' : 's'}`;
  return ok ? `Verified: ${seen}, every chain whole.` : `NOT VERIFIED: ${findings.length} findings in ${seen}.`;
}

async function withOwner<T>(env: CommandEnvironment, use: (ownerUrl: string) => Promise<T>): Promise<T> {
  const config = readConfig(env);
  if (config.database !== undefined) {
    const { ownerUrl } = config.database;
    if (ownerUrl === undefined) throw new ConfigError('Set DATABASE_OWNER_URL: verifying reads every tenant.');
    return use(ownerUrl);
  }
  const dataDir = resolve(config.dataDir);
  const running = await readRunFile(dataDir);
  if (running?.database !== undefined) {
    const logins = await readLogins(running.database, dataDir);
    if (logins !== undefined) return use(logins.ownerUrl);
  }
  await using server = await startEmbedded({ dataDir });
  const { ownerUrl } = await prepareLogins(server.adminUrl, dataDir);
  return await use(ownerUrl);
}
