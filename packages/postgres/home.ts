import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeAbandoned } from './staging.ts';
import type { Account } from './account.ts';
import { sharedFolder } from './elsewhere.ts';

/**
 * A new folder for a cluster whose data folder only root can reach. Its name begins with a hash of the data folder.
 * So the rest of an interrupted creation is found and removed. A whole cluster whose data folder was deleted
 * since stays, and the operator is told about it.
 */
export async function newHome(inside: string, account: Account, log: (line: string) => void): Promise<string> {
  const shared = sharedFolder(account);
  const prefix = `${createHash('sha256').update(inside).digest('hex').slice(0, 12)}-`;
  for (const name of readdirSync(shared).filter((name) => name.startsWith(prefix))) {
    const home = join(shared, name);
    if (existsSync(join(home, 'postgres'))) {
      log(`${home} holds an earlier database of this data folder; delete it if it is no longer needed`);
    } else {
      await removeAbandoned(home);
      await rm(home, { recursive: true, force: true });
    }
  }
  const home = mkdtempSync(join(shared, prefix));
  chmodSync(home, 0o711);
  return home;
}
