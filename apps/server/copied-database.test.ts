import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrate, openPool, statement } from '@steward/sql';
import { contentsOf, createTestDatabase, templatesVariable, type TestDatabase } from '@steward/testing';
import { migrationSources } from './migrations.ts';

const memberships = statement(
  `select concat_ws(' ', roleid::regrole, member::regrole, grantor::regrole, admin_option, inherit_option, set_option) as said
   from pg_auth_members where starts_with(roleid::regrole::text, current_database() || '_')`,
  [],
);

async function make(templates: 'yes' | ''): Promise<TestDatabase> {
  const outside = process.env[templatesVariable];
  process.env[templatesVariable] = templates;
  const making = createTestDatabase(migrationSources);
  process.env[templatesVariable] = outside ?? '';
  return making;
}

/** What is in a database of ours, and who may act as whom, without its name. */
async function contents(db: TestDatabase): Promise<string[]> {
  await using admin = openPool({ url: db.adminUrl, size: 1 });
  // Whatever roles it has, nothing of it waits to be applied again.
  assert.equal(await migrate({ ownerUrl: db.ownerUrl, appLogins: [], sources: migrationSources }), 0);
  const members = await admin.query(memberships);
  return [...(await contentsOf(admin)), ...members.map(({ said }) => String(said))]
    .map((said) => said.replaceAll(db.name, 'name'))
    .toSorted();
}

it('a database that was copied from a template is as one that was migrated, down to every role that it names', async () => {
  await using migrated = await make('');
  const expected = await contents(migrated);
  assert.match(expected.join('\n'), /name_job_audit_appender/);
  // One of them at least has been given roles that the template did not have.
  await using one = await make('yes');
  await using other = await make('yes');
  assert.deepEqual(await contents(one), expected);
  assert.deepEqual(await contents(other), expected);
});
