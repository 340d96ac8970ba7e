import * as accounting from '@steward/accounting';
import * as approvals from '@steward/approvals';
import * as audit from '@steward/audit';
import * as bus from '@steward/bus';
import * as commerce from '@steward/commerce';
import * as crm from '@steward/crm';
import * as identity from '@steward/identity';
import * as mail from '@steward/mail';
import * as portal from '@steward/portal';
import { platformMigrations, type MigrationSource } from '@steward/sql';
import * as studio from '@steward/studio';
import * as tools from '@steward/tools';

/** Every component's migrations, in the order in which they may refer to one another. */
export const migrationSources: readonly MigrationSource[] = [
  platformMigrations,
  ...[identity, audit, bus, mail, tools, approvals, portal, accounting, crm, studio, commerce].map(
    ({ name, migrations }) => ({
      component: name,
      folder: migrations,
    }),
  ),
];
