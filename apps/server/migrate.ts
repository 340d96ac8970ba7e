import { ConfigError } from '@steward/kernel';
import { createWall, loginOf, makeRoles, migrate, replaceWall } from '@steward/sql';
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
  const options = {
    ownerUrl: database.ownerUrl,
    appLogins: [loginOf(database.url)],
    sources: migrationSources,
    log: console.log,
  };
  // The name of a database whose roles are made, and nothing else.
  const [named] = process.argv.slice(2);
  if (named !== undefined) {
    const count = await makeRoles({ ...options, named });
    console.log(`${count} roles are there: restore the backup of ${named} now, and run \`steward migrate\` then.`);
  } else {
    const applied = await migrate(options);
    // Only the owner of the database lets a new key in, explicitly.
    if (secretKey !== undefined) await replaceWall(database.ownerUrl, createWall(secretKey));
    console.log(applied === 0 ? 'The database is current.' : `${applied} migrations applied.`);
  }
} catch (error) {
  process.exitCode = complain(error);
}
