import type { Log } from '@steward/kernel';
import type { SqlPool, TenantContext } from '@steward/sql';
import type { Registry } from '../grammars/registry.ts';
import { createKeyStore, type KeyStore } from './keys/key-store.ts';
import { type MasterKeys, readMasterKeys } from './keys/master-key.ts';
import { requireMasterKeys } from './keys/require-master-keys.ts';
import { type Open, opener } from './values/open-events.ts';
import { giveUpMaster, rewrap } from './keys/rewrap-keys.ts';
import { createSecrets, type Secrets } from './secrets/secrets.ts';

export interface PersonalDeps {
  readonly registry: Registry;
  readonly pool: SqlPool;
  readonly log: Log;
  readonly dataDir: string;
  /** 32 bytes each; empty: those of the data folder. */
  readonly masterKeys: readonly Uint8Array[];
}

/** What the audit log does for the people it speaks of. */
export interface Personal {
  readonly keys: KeyStore;
  readonly open: Open;
  readonly secrets: Secrets;
  readonly verbs: PersonalVerbs;
  /** @throws ConfigError where a master key that is in use is not here */
  start(): Promise<void>;
}

export interface PersonalVerbs {
  /** What erasing a subject forgets in this process. */
  readonly keys: Pick<KeyStore, 'forget'>;
  /** Wraps the tenant's keys with the first master key; answers how many were not. */
  rewrap(context: TenantContext): Promise<number>;
  /** Erases what only a lost master key opens; answers how many keys. */
  giveUpMaster(context: TenantContext, master: string): Promise<number>;
}

export function createPersonal({ registry, pool, log, dataDir, masterKeys }: PersonalDeps): Personal {
  let reading: Promise<MasterKeys> | undefined;
  const masters = async (): Promise<MasterKeys> => {
    reading ??= readMasterKeys(masterKeys, dataDir);
    // A failure is not remembered: the disk may be mended.
    reading.catch(() => (reading = undefined));
    return reading;
  };
  const keys = createKeyStore(masters);
  return {
    keys,
    open: opener({ registry, masterKeys: masters, log }),
    secrets: createSecrets(keys, masters),
    verbs: {
      keys,
      rewrap: async (context) => rewrap(context, await masters()),
      giveUpMaster: async (context, master) => giveUpMaster(context, await masters(), master),
    },
    start: async () => requireMasterKeys(pool, await masters()),
  };
}
