import { ConfigError } from '@steward/kernel';
import { createWall, loginOf, migrate, replaceWall } from '@steward/sql';
import { complain } from './announce.ts';
import { readConfig } from './components.ts';
import { migrationSources } from './migrations.ts';

try {
  const { database, secretKey } = readConfig(process.env);
  if (database?.ownerUrl === undefined) {
    throw new ConfigError(
      'Set DATABASE_URL (the application login) and DATABASE_OWNER_URL (the owner); the embedded database migrates itself.',
    );
  }
  const appLogins = [loginOf(database.url)];
  const applied = await migrate({
    ownerUrl: database.ownerUrl,
    appLogins,
    sources: migrationSources,
    log: console.log,
  });
  // Only the owner of the database lets a new key in, explicitly.
  if (secretKey !== undefined) await replaceWall(database.ownerUrl, createWall(secretKey));
  console.log(applied === 0 ? 'The database is current.' : `${applied} migrations applied.`);
} catch (error) {
  process.exitCode = complain(error);
}
