import { platformMigrations, type MigrationSource } from '@steward/sql';
import { components } from './components.ts';

/** Every component's migrations, in the order in which they may refer to one another. */
export const migrationSources: readonly MigrationSource[] = [
  platformMigrations,
  ...components.flatMap(({ name, migrations }) =>
    migrations === undefined ? [] : [{ component: name, folder: migrations }],
  ),
];
