import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import type { Account } from './account.ts';
import { EmbeddedError } from './errors.ts';
import { canPass } from './reach.ts';

const CANDIDATES = ['/var/lib/steward', '/var/tmp/steward'];

/**
 * A folder of root that every account can pass through, for what must not lie in a place only root can reach.
 *
 * @throws EmbeddedError `data_dir_unusable`
 */
export function sharedFolder(account: Account): string {
  for (const folder of CANDIDATES) {
    try {
      if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o711);
      const stat = lstatSync(folder);
      // /var/tmp is everybody's: somebody else's folder or link of that name is no place for data
      const ours = stat.isDirectory() && stat.uid === 0 && (stat.mode & 0o022) === 0;
      if (ours && canPass(folder, account)) return folder;
    } catch {
      // a read-only system disk; the next one may do
    }
  }
  throw new EmbeddedError(
    'data_dir_unusable',
    `User ${account.uid}, under which PostgreSQL runs, can pass neither to the data folder nor to ${CANDIDATES.join(' or ')}: set DATA_DIR to a folder outside root's home.`,
  );
}
