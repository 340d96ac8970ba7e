import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Owner and application login of the embedded server's one database. */
export interface Logins {
  readonly ownerUrl: string;
  readonly appUrl: string;
}

const database = 'steward';
const owner = 'steward_owner';
const login = 'steward_login';

interface Passwords {
  readonly owner: string;
  readonly app: string;
}

/** Where the passwords of the embedded logins are kept, readable by their owner only. */
export const passwordFile = (dataDir: string): string => join(dataDir, 'logins.json');

/** Creates database and logins where they are missing; safe after a start that was cut off in the middle. */
export async function prepareLogins(adminUrl: string, dataDir: string): Promise<Logins> {
  const kept = await readPasswords(dataDir);
  const passwords = kept ?? { owner: randomBytes(24).toString('hex'), app: randomBytes(24).toString('hex') };
  if (kept === undefined) {
    await create(adminUrl, passwords);
    const path = passwordFile(dataDir);
    await writeFile(`${path}.new`, JSON.stringify(passwords), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
  return loginUrls(adminUrl, passwords);
}

/** The logins of a server that was prepared before. */
export async function readLogins(adminUrl: string, dataDir: string): Promise<Logins | undefined> {
  const passwords = await readPasswords(dataDir);
  return passwords === undefined ? undefined : loginUrls(adminUrl, passwords);
}

async function readPasswords(dataDir: string): Promise<Passwords | undefined> {
  try {
    return JSON.parse(await readFile(passwordFile(dataDir), 'utf8')) as Passwords;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function create(adminUrl: string, passwords: Passwords): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any ($1)', [
      [owner, login],
    ]);
    const there = new Set(rows.map((row) => row.rolname));
    await client.query(
      `${there.has(owner) ? 'alter' : 'create'} role ${owner} login createrole password '${passwords.owner}'`,
    );
    await client.query(`${there.has(login) ? 'alter' : 'create'} role ${login} login password '${passwords.app}'`);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database} owner ${owner}`);
  } finally {
    await client.end();
  }
}

function loginUrls(adminUrl: string, passwords: Passwords): Logins {
  const url = (username: string, password: string): string =>
    Object.assign(new URL(adminUrl), { username, password, pathname: `/${database}` }).href;
  return { ownerUrl: url(owner, passwords.owner), appUrl: url(login, passwords.app) };
}
