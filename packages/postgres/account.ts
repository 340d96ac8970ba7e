import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { EmbeddedError, errorCode } from './errors.ts';

/** A user and group by number; `undefined` in its place means the user that runs this process. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Numbers that neither Debian nor systemd hands out (uidgid.systemd.io: 60578–61183 is unused), below 65536 so that
 * the usual container mapping covers them.
 */
const RANGE = { first: 60_578, count: 606 };

/**
 * Under which account PostgreSQL runs, which refuses root: the owner of the cluster, else the owner of the data
 * folder; where that is root, an account of its own that has no name and runs nothing else, so that no other daemon
 * can read the data. Not root: ourselves.
 *
 * @throws EmbeddedError `no_account`
 */
export function chooseAccount(dataDir: string, cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) {
    requireName();
    return undefined;
  }
  const names = readPasswd();
  for (const path of [cluster, dataDir]) {
    const owner = ownerOf(path);
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: names.get(owner.uid)?.gid ?? owner.gid };
  }
  return ownAccount(dataDir, names) ?? namedAccount(names) ?? refuse();
}

/**
 * initdb insists on a user that has a name, and so runs as one that has, but in the server's own group: the folder it
 * works in lets only root and that group pass, so that others of that user see nothing of it.
 *
 * @throws EmbeddedError `no_account`
 */
export function bootstrapAccount(account: Account): Account {
  const names = readPasswd();
  const named = names.has(account.uid) ? account : namedAccount(names);
  return { uid: (named ?? refuse()).uid, gid: account.gid };
}

function ownAccount(dataDir: string, names: ReadonlyMap<number, Account>): Account | undefined {
  const hash = createHash('sha256').update(dataDir).digest().readUInt32BE(0);
  for (let step = 0; step < RANGE.count; step += 1) {
    const id = RANGE.first + ((hash + step) % RANGE.count);
    if (!names.has(id)) return isMapped(id, 'uid') && isMapped(id, 'gid') ? { uid: id, gid: id } : undefined;
  }
  return undefined;
}

function namedAccount(names: ReadonlyMap<number, Account>): Account | undefined {
  const others = [...names.values()].filter(({ uid, gid }) => uid > 0 && gid > 0);
  const usable = others.filter(({ uid, gid }) => isMapped(uid, 'uid') && isMapped(gid, 'gid'));
  // "nobody" owns no files, unlike the service accounts
  return usable.find(({ uid }) => uid === 65_534) ?? usable.at(-1);
}

/** A container may know only some user numbers; changing to another fails with EINVAL. */
function isMapped(id: number, kind: 'uid' | 'gid'): boolean {
  let map: string;
  try {
    map = readFileSync(`/proc/self/${kind}_map`, 'utf8');
  } catch {
    return true;
  }
  return map.split('\n').some((line) => {
    const [first = Number.NaN, , count = 0] = line.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

function readPasswd(): Map<number, Account> {
  let text = '';
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // a system without the file has no named accounts
  }
  const found = new Map<number, Account>();
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && !name.startsWith('#') && uid && gid && !found.has(Number(uid))) {
      found.set(Number(uid), { uid: Number(uid), gid: Number(gid) });
    }
  }
  return found;
}

function requireName(): void {
  if (process.platform === 'win32') return;
  try {
    userInfo();
  } catch (cause) {
    throw new EmbeddedError(
      'no_account',
      `PostgreSQL needs a user with a name, and user ${process.getuid?.()} has none: add a line for it to /etc/passwd, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

function ownerOf(path: string): Account | undefined {
  try {
    const { uid, gid } = statSync(path);
    return { uid, gid };
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

function refuse(): never {
  throw new EmbeddedError(
    'no_account',
    'PostgreSQL refuses to run as root, and this machine has no other user it could run as: start Steward as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}
