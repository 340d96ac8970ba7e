import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { openPool, sql, sqlState } from '@steward/sql';
import { createForm } from './forms/create.ts';
import { publishForm } from './forms/publish.ts';
import { contactForm, createWorld, type World } from './fixtures/world.ts';
import { issueKey } from './keys/issue.ts';
import { revokeKey } from './keys/revoke.ts';
import { rotateKey } from './keys/rotate.ts';
import { createSite } from './sites/create.ts';

describe('the studio’s tables against the application’s own login', () => {
  let world: World;
  let tenant: string;
  let mine: { site: string; form: string; ending: string; revoked: string };
  let theirs: { tenant: string; site: string; form: string; key: string };
  before(async () => {
    world = await createWorld();
    const { deps } = world.studio;
    const owner = await world.tenant();
    tenant = owner.tenant;
    const site = await createSite(owner, { name: 'Mine' }, deps);
    const form = await createForm(owner, contactForm(site.id), world.studio.deps);
    await publishForm(owner, { formId: form.id }, deps);
    const ending = await issueKey(owner, { siteId: site.id }, deps);
    await rotateKey(owner, { siteId: site.id, keyId: ending.id, overlapHours: 1 }, deps);
    const revoked = await issueKey(owner, { siteId: site.id }, deps);
    await revokeKey(owner, { siteId: site.id, keyId: revoked.id }, deps);
    mine = { site: site.id, form: form.id, ending: ending.id, revoked: revoked.id };
    const other = await world.tenant();
    const foreign = await createSite(other, { name: 'Theirs' }, deps);
    const key = await issueKey(other, { siteId: foreign.id }, deps);
    const otherForm = await createForm(other, contactForm(foreign.id), world.studio.deps);
    await publishForm(other, { formId: otherForm.id }, deps);
    theirs = { tenant: other.tenant, site: foreign.id, form: otherForm.id, key: key.id };
  });
  after(async () => world[Symbol.asyncDispose]());

  interface Attempt {
    readonly code: string | undefined;
    readonly rows: readonly Record<string, unknown>[];
    readonly count: number;
  }

  async function attempt(text: string, url = world.db.appUrl): Promise<Attempt> {
    await using pool = openPool({ url, size: 1 });
    return pool.withClient(async (client) => {
      try {
        await client.query(`begin; set local app.tenant_id = '${tenant}'`);
        const { rows, rowCount } = await client.query<Record<string, unknown>>(text);
        return { code: undefined, rows, count: rowCount ?? 0 };
      } catch (error) {
        return { code: sqlState(error), rows: [], count: 0 };
      } finally {
        await client.query('rollback');
      }
    });
  }

  test('a published version is changed, deleted or emptied by nobody, the owner and a superuser included', async () => {
    for (const text of [
      `update studio.form_version set name = 'x'`,
      `delete from studio.form_version`,
      `truncate studio.form_version cascade`,
    ])
      for (const url of [world.db.appUrl, world.db.ownerUrl, world.db.adminUrl]) {
        const { code, count } = await attempt(text, url);
        // Row-level security shows the owner no rows, so that its statement changes none.
        assert.ok(code === '42501' || (url === world.db.ownerUrl && count === 0), `${text}: ${code}`);
      }
  });

  test('versions have no gaps and no second first one', async () => {
    for (const version of [1, 3, 9])
      assert.match(
        (
          await attempt(`insert into studio.form_version (tenant_id, form_id, version, site_id, name, definition, document, published_by)
            values ('${tenant}', '${mine.form}', ${version}, '${mine.site}', 'x', '{}', '{}', 'x')`)
        ).code ?? 'accepted',
        /^23514$/,
      );
  });

  test('hashes of keys cannot be read, so they cannot be listed', async () => {
    for (const text of [
      'select key_hash from studio.sdk_key',
      'select * from studio.sdk_key',
      `select 1 from studio.sdk_key where key_hash > '\\x00'`,
      `update studio.sdk_key set label = 'x' where true returning key_hash`,
    ])
      assert.equal((await attempt(text)).code, '42501', text);
    assert.deepEqual((await attempt(`select * from studio.find_key('\\x00')`)).rows, []);
    assert.deepEqual((await attempt(`select * from studio.find_key(sha256('pk_live_guess'))`)).rows, []);
  });

  test('a revoked key is not brought back, and the end of a key is not put off', async () => {
    for (const text of [
      `update studio.sdk_key set revoked_at = null where key_id = '${mine.revoked}'`,
      `update studio.sdk_key set expires_at = null where key_id = '${mine.ending}'`,
      `update studio.sdk_key set expires_at = expires_at + interval '1 day' where key_id = '${mine.ending}'`,
      `update studio.sdk_key set last_used_at = clock_timestamp()`,
      `update studio.sdk_key set origins = '{https://evil.example}'`,
      `update studio.sdk_key set site_id = '${theirs.site}'`,
      `delete from studio.sdk_key`,
    ])
      assert.equal((await attempt(text)).code, '42501', text);
  });

  test('another tenant’s rows are neither seen nor written, by id or by reference', async () => {
    for (const table of ['site', 'form', 'form_version'])
      assert.equal((await attempt(`select from studio.${table} where tenant_id <> '${tenant}'`)).count, 0, table);
    for (const text of [
      `update studio.form set name = 'x' where form_id = '${theirs.form}'`,
      `update studio.site set status = 'disabled' where site_id = '${theirs.site}'`,
      `update studio.sdk_key set revoked_at = clock_timestamp() where key_id = '${theirs.key}'`,
    ])
      assert.deepEqual([(await attempt(text)).code, (await attempt(text)).count], [undefined, 0], text);
    const formOf = (owner: string, site: string): string =>
      `insert into studio.form (tenant_id, form_id, site_id, name, draft) values ('${owner}', '${newId()}', '${site}', 'x', '{}')`;
    assert.equal((await attempt(formOf(tenant, theirs.site))).code, '23503');
    assert.equal((await attempt(formOf(theirs.tenant, theirs.site))).code, '42501');
    assert.equal(
      (await attempt(`update studio.form set active_version = 2, latest_version = 2 where form_id = '${mine.form}'`))
        .code,
      '23503',
      'a version that is not there is not served',
    );
  });

  test('the directory tells whether an origin is named and not by whom, and nothing to a stranger’s login', async () => {
    const { rows } = await attempt(`select studio.names_origin('https://nobody.example') as named`);
    assert.deepEqual(rows, [{ named: false }]);
    const open = await world.admin.query<{ name: string }>(sql`
      select p.proname as name from pg_proc p where p.pronamespace = 'studio'::regnamespace and p.prosecdef
        and has_function_privilege('public', p.oid, 'execute')`);
    assert.deepEqual(open, []);
  });
});
